// Says in one line what to do when Node is too old, before anything newer than Node 12 is imported.
// Every entry script imports this file first; it leaves all other checks to setup.mjs.

const required = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(
    `Headwise needs Node ${required.join('.')} or later and this is ${process.versions.node}: ` +
      'install a current Node (22 or 24 are fine) and run the command again.',
  )
  process.exit(1)
}
