import type { Epoch } from './epochs.ts'

/** The kinds of unallocated reward on one day: some every day, the others in turn. */
export function unallocatedKinds(
  epoch: Epoch,
  all: readonly string[],
  daily: readonly string[],
): readonly string[] {
  const everyDay = daily.map((name) => `unallocated_reward_type_${name}`)
  return all.filter((kind, at) => everyDay.includes(kind) || epoch.number % all.length === at)
}
