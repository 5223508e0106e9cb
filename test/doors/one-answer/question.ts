import type { Value } from '../../../src/catalog/column.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { rangeOfDays } from '../../../src/catalog/query/paid-days.ts'
import { isReward } from '../../../src/catalog/records/flat-columns.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { withGraphql } from '../../../src/doors/graphql/schema/graphql-face.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { filterText, paidDayText } from '../../fuzz/cases/values.ts'
import { pick } from '../../support/network/draw.ts'

/** A question about one table that every door can be asked, with filters as REST spells them. */
export interface Question {
  readonly resource: Resource
  readonly filters: Readonly<Record<string, string>>
  /** Place of its snapshot among those of the world; undefined asks the newest. */
  readonly asOf: number | undefined
  /** The owner whose hotspots were paid, for the doors that know owners. */
  readonly owner: string | undefined
}

/** The rows of a table in each snapshot, the newest last. */
export type RowsIn = (resource: Resource, snapshot: number) => readonly Row[]

/** Tables that a list of some door has. */
export const listedTables = resources.filter((resource) => withGraphql(resource) !== undefined)

/**
 * Draws a question that at least one row of its snapshot answers. Tables and their filters take turns by `index`; the rest
 * is random.
 */
export function drawQuestion(rowsIn: RowsIn, snapshots: number, index: number, random: Random): Question {
  const resource = listedTables[index % listedTables.length] as Resource
  const { filters = {}, rest } = resource
  const names = Object.keys(filters)
  const round = Math.floor(index / listedTables.length)
  const turn = names[round % names.length]
  const asOf = random.chance(0.5) ? undefined : random.below(snapshots)
  const at = asOf ?? snapshots - 1
  const hasTurn = (one: Row) => turn === undefined || one[filters[turn]?.column ?? ''] !== null
  const row = pick(rowsIn(resource, at).filter(hasTurn), random)
  const range = rangeOfDays(resource)
  const ends = range === undefined ? [] : [range.from, range.to]
  const mayBeOfDays = rest !== undefined && range !== undefined && !ends.includes(turn ?? '')
  const isOfDays = mayBeOfDays && (round % 4 === 3 || random.chance(0.4))
  const drawn = names.flatMap((name) => {
    if (isOfDays && ends.includes(name)) return []
    const isNeeded = filters[name]?.required || name === turn || rest === undefined
    if (!isNeeded && !random.chance(0.3)) return []
    const text = filterText(resource, name, row, random)
    return text === undefined || text === '' ? [] : [[name, text] as const]
  })
  const days = isOfDays
    ? [
        ['first_day', paidDayText(resource, range.from, row, random)] as const,
        ['last_day', paidDayText(resource, range.to, row, random)] as const,
      ]
    : []
  const owner = isOfDays ? ownerOf(resource, row, rowsIn(hotspots, at)) : undefined
  return { resource, asOf, owner, filters: Object.fromEntries([...drawn, ...days]) }
}

function ownerOf(resource: Resource, row: Row, owners: readonly Row[]): string | undefined {
  if (!isReward(resource)) return undefined
  const owner: Value | undefined = owners.find((one) => one.ecc_key === row.hotspot_key)?.owner
  return typeof owner === 'string' ? owner : undefined
}

/** A question as a failure shows it. */
export function show({ resource, ...question }: Question): string {
  return `${resource.name} ${JSON.stringify(question)}`
}

/** Its parameters as REST names them. */
export function parametersOf(
  question: Question,
  snapshots: readonly { readonly id: string }[],
): Readonly<Record<string, string>> {
  const asOf = question.asOf === undefined ? undefined : snapshots[question.asOf]?.id
  return { ...question.filters, ...(asOf !== undefined && { as_of: asOf }) }
}
