import { exportFormats } from '../../../src/catalog/export-formats.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { type Answer, addUp, rowsOf, summedColumns } from './expected.ts'
import { askExport } from './export-door.ts'
import { askConnection, askGraphqlSeries, askGraphqlTotals, isOfGraphql } from './graphql-doors.ts'
import { askMcpList, askMcpSeries, askMcpTotals } from './mcp-doors.ts'
import type { Question } from './question.ts'
import {
  askFile,
  askPages,
  askSeries,
  askSeriesOfOwner,
  askStatement,
  askTotals,
  daysAlone,
} from './rest-doors.ts'
import { askSql, isOfSql } from './sql-door.ts'
import type { DoorWorld } from './world.ts'

/** One way to ask. */
export interface Door {
  readonly name: string
  /** Whether it can be asked the question at all. */
  takes(question: Question, index: number): boolean
  /** Errors: Error for a refusal, since a drawn question is valid. */
  ask(world: DoorWorld, question: Question): Promise<Answer>
  /** The right answer, from the rows of the files. */
  expected(world: DoorWorld, question: Question): Answer
}

/** The command opens the lake anew, which takes as long as all other doors together. */
const isForCommand: Door['takes'] = (question, index) => hasRest(question) && index % 3 === 0
const hasRest = ({ resource }: Question) => resource.rest !== undefined
const hasTotals = ({ resource }: Question) => resource.rest?.totals !== undefined
const hasSeries = ({ resource }: Question) => resource.series !== undefined
const hasOwner = ({ owner }: Question) => owner !== undefined

const rowsFor = ({ rowsIn, snapshots }: DoorWorld, question: Question, of: Resource) =>
  rowsIn(of, question.asOf ?? snapshots.length - 1)

const valuesOf = (row: Row) => (column: string) => row[column]

/** The rows that the question is about, added up. */
function expectedRows(world: DoorWorld, question: Question): Answer {
  const rows = rowsOf(question, rowsFor(world, question, question.resource))
  return addUp(summedColumns(question.resource), rows.map(valuesOf))
}

/** What the hotspots of the owner were paid on the days of the question. */
function expectedOfOwner(world: DoorWorld, question: Question): Answer {
  const { resource, owner } = question
  const owned = rowsFor(world, question, hotspots).filter((row) => row.owner === owner)
  const keys = new Set(owned.map(({ ecc_key }) => ecc_key))
  const rows = rowsOf(daysAlone(question), rowsFor(world, question, resource)).filter(
    ({ hotspot_key: key }) => key !== null && keys.has(key ?? null),
  )
  const { sums } = addUp(resource.earned ?? [], rows.map(valuesOf))
  return { sums: { earned: Object.values(sums).reduce((sum, one) => sum + one, 0n) } }
}

type Asked = readonly [name: string, takes: Door['takes'], ask: Door['ask']]

const ofRows: readonly Asked[] = [
  ['REST pages', hasRest, askPages],
  ...exportFormats.map(
    ({ name }, place): Asked => [
      `REST ${name}`,
      (question, index) => hasRest(question) && (index + place) % 3 === 0,
      (world, question) => askFile(world, question, name),
    ],
  ),
  ['REST totals', hasTotals, askTotals],
  ['REST series', hasSeries, askSeries],
  ['GraphQL list', isOfGraphql, askConnection],
  ['GraphQL totals', hasTotals, askGraphqlTotals],
  ['GraphQL series', hasSeries, askGraphqlSeries],
  ['MCP list', hasRest, askMcpList],
  ['MCP totals', hasTotals, askMcpTotals],
  ['MCP series', hasSeries, askMcpSeries],
  ['SQL', isOfSql, askSql],
  ['export', isForCommand, askExport],
]
const ofOwners: readonly Asked[] = [
  ['REST series of an owner', hasOwner, askSeriesOfOwner],
  ['statement', hasOwner, askStatement],
]

export const doors: readonly Door[] = [
  ...ofRows.map(([name, takes, ask]) => ({ name, takes, ask, expected: expectedRows })),
  ...ofOwners.map(([name, takes, ask]) => ({ name, takes, ask, expected: expectedOfOwner })),
]

/** In words what a door answers otherwise; undefined where it is right. */
export function differenceOf(answer: Answer, expected: Answer): string | undefined {
  const names = Object.keys(answer.sums)
  const wrong = names.filter((name) => answer.sums[name] !== expected.sums[name])
  const texts = wrong.map((name) => `${name} is ${answer.sums[name]} instead of ${expected.sums[name]}`)
  if (answer.rows !== undefined && answer.rows !== expected.rows)
    texts.unshift(`${answer.rows} rows instead of ${expected.rows}`)
  if (names.length === 0) texts.push('no column was summed')
  return texts.length === 0 ? undefined : texts.join(', ')
}
