import type { Epoch } from './epochs.ts'

/** The rare kind of unallocated reward whose turn it is on a day; none when one of every day's would have its turn. */
export function rareKind(epoch: Epoch, all: readonly string[], daily: readonly string[]): string | undefined {
  const kind = all[epoch.number % all.length] as string
  return daily.some((name) => kind.endsWith(`_${name}`)) ? undefined : kind
}
