// What is said when not even the words of the page come, in no language: plainly, in both, and with
// a way to try again. Needs nothing that has to be fetched.

const said = [
  ['en', 'The page could not be loaded. Your view is kept in the address.', 'Try again'],
  ['ko', '페이지를 불러오지 못했습니다. 보던 화면은 주소에 남아 있습니다.', '다시 시도'],
] as const

export function showStartFailure(place: HTMLElement): void {
  const main = document.createElement('main')
  main.className = 'start-failure'
  main.setAttribute('role', 'alert')
  const title = document.createElement('h1')
  title.textContent = 'Headwise'
  main.append(title)
  for (const [language, message, action] of said) {
    const line = document.createElement('p')
    line.lang = language
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = action
    button.addEventListener('click', () => {
      location.reload()
    })
    line.append(message, ' ', button)
    main.append(line)
  }
  place.replaceChildren(main)
}
