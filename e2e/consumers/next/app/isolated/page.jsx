// The same page, sent with the headers that allow threads.
export { default } from '../page.jsx'
