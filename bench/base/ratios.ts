import type { TimedCase } from '../peers/measure.ts'
import { digits, markdownTable } from '../support/markdown.ts'
import { median } from '../support/percentiles.ts'

/** The base, a second process of it, whose difference from the first is noise, and the working tree. */
export type Build = 'base' | 'again' | 'head'

/** Time of one build divided by that of another, over rounds; above 1 the first is slower. */
export interface Ratio {
  readonly middle: number
  readonly least: number
  readonly most: number
}

/** Errors: there are no rounds, or not as many of both. */
export function ratioOf(perSecond: readonly number[], toPerSecond: readonly number[]): Ratio {
  if (perSecond.length === 0 || perSecond.length !== toPerSecond.length) {
    throw new Error(`${perSecond.length} rounds are compared with ${toPerSecond.length}`)
  }
  const ratios = perSecond.map((rate, round) => (toPerSecond[round] as number) / rate)
  return { middle: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

/** Slower or faster only when the middle lies outside of everything that the base differed from itself. */
export function verdictOf(head: Ratio, noise: Ratio): 'slower' | 'faster' | 'same' {
  if (head.middle > Math.max(noise.most, 1)) return 'slower'
  return head.middle < Math.min(noise.least, 1) ? 'faster' : 'same'
}

export function ratioTable(cases: readonly TimedCase<Build>[]): string {
  const rows = cases.map((one) => {
    const { head, noise } = ratiosOf(one)
    return [
      `${one.id} ${one.name}`,
      String(one.connections),
      ...[one.implementations.base, one.implementations.head].map((measured) =>
        digits((measured?.p50 ?? Number.NaN) / 1000),
      ),
      ...[head, noise].flatMap(({ middle, least, most }) => [
        middle.toFixed(2),
        `${least.toFixed(2)}..${most.toFixed(2)}`,
      ]),
      verdictOf(head, noise),
    ]
  })
  const head = ['request', 'c', 'base ms', 'head ms', 'head/base', 'rounds', 'base/base', 'rounds', 'verdict']
  return [markdownTable(head, rows), summaryOf(cases)].join('\n\n')
}

function summaryOf(cases: readonly TimedCase<Build>[]): string {
  const all = cases.map(ratiosOf)
  const mean = (ratios: readonly number[]) =>
    Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  const slower = cases.filter(
    (_, at) => verdictOf(all[at]?.head as Ratio, all[at]?.noise as Ratio) === 'slower',
  )
  const named = slower.map(({ id, name, connections }) => `${id} ${name} (${connections})`).join(', ')
  return (
    `Geometric mean of head/base ${mean(all.map(({ head }) => head.middle)).toFixed(3)}, ` +
    `of base/base ${mean(all.map(({ noise }) => noise.middle)).toFixed(3)}. ` +
    `Slower by more than the noise: ${named === '' ? 'none' : named}.`
  )
}

function ratiosOf({ implementations: { base, again, head } }: TimedCase<Build>): {
  head: Ratio
  noise: Ratio
} {
  const rates = base?.perSecond ?? []
  return { head: ratioOf(head?.perSecond ?? [], rates), noise: ratioOf(again?.perSecond ?? [], rates) }
}
