export const metadata = { title: 'headwise: a project with Next.js' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
