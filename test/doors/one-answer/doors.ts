import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFormats } from '../../../src/catalog/export-formats.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import type { Members } from '../../../src/catalog/members.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { readExact } from '../../support/exact-json.ts'
import { readers } from '../../support/export/read-files.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { type Answer, addUp, rowsOf, summedColumns } from './expected.ts'
import { argumentsOf, askAll, type Json, type Kind, kinds, type Paths, protocols } from './protocols.ts'
import { parametersOf, type Question } from './question.ts'
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

const hasRest = ({ resource }: Question) => resource.rest !== undefined
const hasOwner = ({ owner }: Question) => owner !== undefined
const isOfGraphql = ({ resource, filters }: Question) =>
  Object.keys(filters).every((filter) => filter in argumentsOf(resource))

const takesKind: Readonly<Record<Kind, (question: Question) => boolean>> = {
  list: hasRest,
  totals: ({ resource }) => resource.rest?.totals !== undefined,
  series: ({ resource }) => resource.series !== undefined,
}

const rowsFor = ({ rowsIn, snapshots }: DoorWorld, question: Question, of: Resource) =>
  rowsIn(of, question.asOf ?? snapshots.length - 1)

const valuesOf = (row: Row | Json) => (column: string) => row[column]

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

/** Adds up the columns that records of a list have. */
function addRecords(resource: Resource, records: readonly Json[], paths: Paths): Answer {
  const valueIn = (record: Json) => (column: string) =>
    (paths.get(column) ?? []).reduce<unknown>((value, name) => (value as Json | null)?.[name], record)
  const columns = summedColumns(resource).filter((column) => paths.has(column))
  return addUp(columns, records.map(valueIn))
}

/** The sums that totals or rows of a series have, by the column that each one sums. */
function addSums(members: Members, records: readonly Json[]): Answer {
  const named = Object.entries(members).filter(([, member]) => typeof member === 'string')
  const names = new Map(named.map(([name, member]) => [member as string, name]))
  const { sums } = addUp(
    [...names.keys()],
    records.map((record) => (column) => record[names.get(column) ?? '']),
  )
  return { sums }
}

const addEarned = (records: readonly Json[]): Answer => addSums({ earned: 'earned' }, records)

const ofProtocols = Object.values(protocols).flatMap((protocol) =>
  kinds.map((kind) => ({
    name: `${protocol.name} ${kind}`,
    takes: protocol.name === 'GraphQL' && kind === 'list' ? isOfGraphql : takesKind[kind],
    async ask(world: DoorWorld, question: Question): Promise<Answer> {
      const { resource } = question
      const given = parametersOf(question, world.snapshots)
      const records = await askAll(protocol, world, kind, resource, given)
      if (kind === 'list') return addRecords(resource, records, protocol.paths(resource))
      return addSums((kind === 'totals' ? resource.totals : resource.series?.sums) ?? {}, records)
    },
  })),
)

const ofFormats = exportFormats.map(({ name: format }, place) => ({
  name: `REST ${format}`,
  takes: (question: Question, index: number) => hasRest(question) && (index + place) % 3 === 0,
  async ask(world: DoorWorld, question: Question): Promise<Answer> {
    const given = parametersOf(question, world.snapshots)
    const reply = await protocols.rest.ask(world, 'list', question.resource, given, { format })
    if (reply.isRefused) throw new Error(reply.text)
    return addUp(summedColumns(question.resource), reply.records.map(valuesOf))
  },
}))

/** Runs the command `export` over a lake. */
export async function exportFile(
  { lake, folder }: Pick<DoorWorld, 'lake' | 'folder'>,
  resource: Resource,
  given: Readonly<Record<string, string>>,
  format: string,
) {
  const file = join(folder, 'exported')
  const flags = Object.entries(given).flatMap(([name, text]) => [`--${name.replaceAll('_', '-')}`, text])
  const args = [
    'export',
    resource.name,
    '--out',
    file,
    '--force',
    '--format',
    format,
    '--lake',
    lake,
    ...flags,
  ]
  return { ...(await runMain([...args, '--engine-memory-mb', '256'])), args, file }
}

let turn = 0

/** Each question gets another format. */
async function askExport(world: DoorWorld, question: Question): Promise<Answer> {
  const { name = '' } = exportFormats[turn++ % exportFormats.length] ?? {}
  const given = parametersOf(question, world.snapshots)
  const { code, stderr, args, file } = await exportFile(world, question.resource, given, name)
  const rows = await readers[name]?.(readFileSync(file))
  if (code !== 0 || rows === undefined) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
  return addUp(summedColumns(question.resource), rows.map(valuesOf))
}

/** The same days without other filters. */
function daysAlone(question: Question): Question {
  const { first_day = '', last_day = '' } = question.filters
  return { ...question, filters: { first_day, last_day } }
}

const parametersOfOwner = (world: DoorWorld, question: Question) => ({
  ...parametersOf(daysAlone(question), world.snapshots),
  owner: question.owner ?? '',
})

async function askSeriesOfOwner(world: DoorWorld, question: Question): Promise<Answer> {
  const given = parametersOfOwner(world, question)
  return addEarned(await askAll(protocols.rest, world, 'series', question.resource, given))
}

const networks: Readonly<Record<string, string>> = {
  iot_reward_shares: 'iot',
  mobile_reward_shares: 'mobile',
}

/** What the hotspots of an owner were paid by one network, as the files of a statement have it. */
async function askStatement(world: DoorWorld, question: Question): Promise<Answer> {
  async function send(url: string) {
    const reply = await world.server.server.inject({ method: 'GET', url, headers: world.headers })
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode} ${reply.body}`)
    return reply
  }
  const query = new URLSearchParams(parametersOfOwner(world, question))
  const { body } = await send(`/v1/net/statement?${query}`)
  const rows: Json[] = []
  for (const { href } of readExact<{ files: readonly { readonly href: string }[] }>(body).files)
    rows.push(...((await readers.csv?.((await send(href)).rawPayload)) ?? []))
  return addEarned(rows.filter(({ network }) => network === networks[question.resource.name]))
}

export const doors: readonly Door[] = [
  ...[
    ...[...ofProtocols, ...ofFormats, { name: 'SQL', takes: isOfSql, ask: askSql }],
    // The command opens the lake anew, which takes as long as all other doors together.
    {
      name: 'export',
      takes: (question: Question, index: number) => hasRest(question) && index % 3 === 0,
      ask: askExport,
    },
  ].map((door) => ({ ...door, expected: expectedRows })),
  ...[
    { name: 'REST series of an owner', takes: hasOwner, ask: askSeriesOfOwner },
    { name: 'statement', takes: hasOwner, ask: askStatement },
  ].map((door) => ({ ...door, expected: expectedOfOwner })),
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
