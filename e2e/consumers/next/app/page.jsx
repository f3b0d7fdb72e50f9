// Rendered on the server, where importing headwise must do nothing and its plain functions work.
import { parameterCount, version } from 'headwise'

import { Headwise } from './headwise.jsx'

export default function Page() {
  return (
    <main>
      <p id="server">
        {version}: {parameterCount({ dModel: 512, numHeads: 8 })}
      </p>
      <Headwise />
    </main>
  )
}
