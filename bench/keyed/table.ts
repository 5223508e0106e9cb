import { rateRatio, type TimedCase } from '../peers/measure.ts'
import { digitsOr, markdownTable, whole } from '../support/markdown.ts'
import type { Result } from '../support/results.ts'

/** Kinds of servers, and a bare node:http server. */
export type KeyedLabel = 'open' | 'keyed' | 'cors' | 'logged' | 'bare'

/** Middle ratios of requests a second. */
export function keyedTable({ cases }: Result<TimedCase<KeyedLabel>>): string {
  const head = ['case', 'at a time', 'open, a second', 'with a key', '--cors', '--access-log', 'key to bare']
  return markdownTable(head, cases.map(keyedRow))
}

export function keyedRow(one: TimedCase<KeyedLabel>): readonly string[] {
  const rates = one.implementations.open?.perSecond ?? []
  const middle = [...rates].sort((a, b) => a - b)[rates.length >> 1] ?? 0
  const toOpen = (['keyed', 'cors', 'logged'] as const).map((label) =>
    digitsOr(rateRatio(one, label, 'open')),
  )
  const toBare = digitsOr(rateRatio(one, 'keyed', 'bare'))
  return [`${one.id} ${one.name}`, String(one.connections), whole(middle), ...toOpen, toBare]
}
