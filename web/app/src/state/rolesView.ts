// What chapter 7 shows besides the opened head, and its form in the address. Pure.

/** On what roles are measured. A reader's file stays with the reader: a link only says there was one. */
export const banks = ['own', 'text', 'file'] as const
export type BankId = (typeof banks)[number]

export interface RolesView {
  bank: BankId
  /** A relation, a measure that needs no labels, or `coreference`. */
  role: string
  /** Whether dependents look for their head, or heads are looked for from the other end. */
  upward: boolean
  /** Of halves, bootstrap and everything random. */
  seed: number
}

export const largestRolesSeed = 9999

export const defaultRoles: RolesView = { bank: 'own', role: 'coreference', upward: true, seed: 0 }

const rolePattern = /^[a-z]{2,20}(:[a-z]{2,20})?$/

export function parseRoles(given: URLSearchParams): RolesView {
  const role = given.get('role')
  const seed = given.get('halves')
  return {
    bank: banks.find((each) => each === given.get('on')) ?? defaultRoles.bank,
    role: role !== null && rolePattern.test(role) ? role : defaultRoles.role,
    upward: given.get('way') !== 'down',
    seed: seed !== null && /^\d{1,4}$/.test(seed) ? Number(seed) : defaultRoles.seed,
  }
}

/** The role always where the chapter is open; the rest where it differs from the default. */
export function writeRoles(view: RolesView, open: boolean, query: URLSearchParams): void {
  if (view.bank !== defaultRoles.bank) query.set('on', view.bank)
  if (open || view.role !== defaultRoles.role) query.set('role', view.role)
  if (!view.upward) query.set('way', 'down')
  if (view.seed !== defaultRoles.seed) query.set('halves', String(view.seed))
}
