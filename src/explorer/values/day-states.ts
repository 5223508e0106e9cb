/** The state of a day. `unpriced`: rewards exist, but no manifest has their token and price. */
export const dayStates = ['paid', 'unpriced', 'incomplete', 'nothing', 'missing'] as const
export type DayState = (typeof dayStates)[number]

export const stateTexts: Readonly<Record<DayState, string>> = {
  paid: 'Paid',
  unpriced: 'Paid, token unknown',
  incomplete: 'Files missing',
  nothing: 'Nothing earned',
  missing: 'Data missing',
}

interface Run {
  readonly first: string
  readonly last: string
}

/** `coverage` of a series or of the status; a null list is unknown. */
export interface DayCoverage {
  readonly epochs: {
    readonly newest: string | null
    readonly missing: readonly Run[] | null
    readonly incomplete: readonly Run[] | null
  }
  readonly manifests: { readonly missing: readonly Run[] | null } | null
}

/** Returns the state of a day from coverage and earnings. Missing data takes precedence. */
export function stateOf(day: string, coverages: readonly DayCoverage[], isPaid: boolean): DayState {
  const isIn = (of: (coverage: DayCoverage) => readonly Run[] | null | undefined) =>
    coverages.some((coverage) => of(coverage)?.some(({ first, last }) => first <= day && day <= last))
  if (coverages.length > 0 && isIn(({ epochs }) => epochs.missing)) return 'missing'
  if (isIn(({ epochs }) => epochs.incomplete)) return 'incomplete'
  if (!isPaid) return 'nothing'
  return isIn(({ manifests }) => manifests?.missing) ? 'unpriced' : 'paid'
}

/** Counts the days in each state. */
export function countStates(states: readonly DayState[]): Readonly<Record<DayState, number>> {
  const counts = { paid: 0, unpriced: 0, incomplete: 0, nothing: 0, missing: 0 }
  for (const state of states) counts[state] += 1
  return counts
}

/** Returns true if earnings of the day may be missing. */
export const isGap = (state: DayState) => state === 'missing' || state === 'incomplete'
