// Whether the reader wants less motion; steps then jump.

const query = matchMedia('(prefers-reduced-motion: reduce)')
let reduced = $state(query.matches)

query.addEventListener('change', (event) => {
  reduced = event.matches
})

export const motion = {
  get reduced(): boolean {
    return reduced
  },
}
