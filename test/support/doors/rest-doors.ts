import type { Member, Members, Nested } from '../../../src/catalog/members.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { readExact } from '../exact-json.ts'
import { type Cells, readers } from '../export/read-files.ts'
import { pagesOf } from '../pages.ts'
import { type Answer, addUp, summedColumns } from './expected.ts'
import { parametersOf, type Question } from './question.ts'
import type { DoorWorld } from './world.ts'

/** A JSON object with exact integers. */
export type Json = Readonly<Record<string, unknown>>

/** Where a record has the value of each column: one name, or two of an object in it. */
const pathsIn = ({ record = {}, variants }: Resource): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...Object.entries(record).flatMap(([name, member]) =>
      isNested(member) ? pathsOf(member.members, [name]) : pathsOf({ [name]: member }, []),
    ),
    ...Object.values<Members>(variants?.cases ?? {}).flatMap((members) =>
      pathsOf(members, [variants?.as ?? '']),
    ),
  ])

const isNested = (member: Member | Nested): member is Nested =>
  typeof member === 'object' && 'members' in member

/** Members that are columns, each behind the names given. */
export const pathsOf = (members: Members, before: readonly string[]) =>
  Object.entries(members).flatMap(([name, member]): [string, readonly string[]][] =>
    typeof member === 'string' ? [[member, [...before, name]]] : [],
  )

/** Adds up the columns that records have. */
export function addRecords(resource: Resource, records: readonly Json[], paths = pathsIn(resource)): Answer {
  const columns = summedColumns(resource).filter((column) => paths.has(column))
  return addUp(
    columns,
    records.map(
      (record) => (column) =>
        (paths.get(column) ?? []).reduce<unknown>((value, name) => (value as Json | null)?.[name], record),
    ),
  )
}

async function send({ server, headers }: DoorWorld, url: string) {
  const reply = await server.server.inject({ method: 'GET', url, headers })
  if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode} ${reply.body}`)
  return reply
}

function get(world: DoorWorld, question: Question, path: string, more = '') {
  return send(world, `/v1/net${path}?${new URLSearchParams(parametersOf(question, world.snapshots))}${more}`)
}

export async function askPages(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const { path = '', envelope = 'records' } = resource.rest ?? {}
  const records: Json[] = []
  const ask = async (address: string) => (await send(world, address)).body
  for await (const body of pagesOf(ask, `/v1/net${path}`, {
    ...parametersOf(question, world.snapshots),
    per_page: '100',
  })) {
    const lists = readExact<Readonly<Record<string, Json[]>>>(body)
    // The hosted service has another name for the list.
    records.push(...(lists[envelope] ?? lists.records ?? []))
  }
  return addRecords(resource, records)
}

export async function askFile(world: DoorWorld, question: Question, format: string): Promise<Answer> {
  const { rest } = question.resource
  const reply = await get(world, question, rest?.path ?? '', `&format=${format}`)
  return await addFile(question.resource, format, reply.rawPayload)
}

/** Adds up the columns of a file. */
export async function addFile(resource: Resource, format: string, bytes: Buffer): Promise<Answer> {
  const read = readers[format]
  if (read === undefined) throw new Error(`nothing here reads ${format}`)
  const rows = await read(bytes)
  return addUp(
    summedColumns(resource),
    rows.map((row) => (column) => row[column]),
  )
}

/** The sums that totals or rows of a series have, by the column that each one sums. */
export function sumsIn(members: Members, records: readonly Json[]): Answer {
  const named = Object.entries(members).flatMap(([name, member]) =>
    typeof member === 'string' ? [[member, name] as const] : [],
  )
  const names = new Map<string, string>(named)
  return {
    sums: addUp(
      [...names.keys()],
      records.map((record) => (column) => record[names.get(column) ?? '']),
    ).sums,
  }
}

export async function askTotals(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const { body } = await get(world, question, `${resource.rest?.path}/totals`)
  return sumsIn(resource.totals ?? {}, [readExact(body)])
}

export async function askSeries(world: DoorWorld, question: Question, more = ''): Promise<Answer> {
  const { rest, series } = question.resource
  const { body } = await get(world, question, `${rest?.path}${series?.path}`, `&interval=all${more}`)
  return sumsIn(series?.sums ?? {}, readExact<{ records: Json[] }>(body).records)
}

/** What the hotspots of an owner were paid, as the series of all networks has it. */
export async function askSeriesOfOwner(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource, owner = '' } = question
  const { rest, series } = resource
  const { body } = await get(
    world,
    daysAlone(question),
    `${rest?.path}${series?.path}`,
    `&interval=all&owner=${encodeURIComponent(owner)}`,
  )
  const { records } = readExact<{ records: Json[] }>(body)
  return {
    sums: addUp(
      ['earned'],
      records.map((record) => (name) => record[name]),
    ).sums,
  }
}

/** The same days without other filters. */
export function daysAlone(question: Question): Question {
  const { first_day = '', last_day = '' } = question.filters
  return { ...question, filters: { first_day, last_day } }
}

const networks: Readonly<Record<string, string>> = {
  iot_reward_shares: 'iot',
  mobile_reward_shares: 'mobile',
}

/** What the hotspots of an owner were paid by one network, as the files of a statement have it. */
export async function askStatement(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource, owner = '' } = question
  const more = `&owner=${encodeURIComponent(owner)}`
  const { body } = await get(world, daysAlone(question), '/statement', more)
  const { files } = readExact<{ files: readonly { readonly href: string }[] }>(body)
  const rows: Cells[] = []
  for (const { href } of files) {
    const file = await send(world, href)
    rows.push(...((await readers.csv?.(file.rawPayload)) ?? []))
  }
  const ofNetwork = rows.filter(({ network }) => network === networks[resource.name])
  return {
    sums: addUp(
      ['earned'],
      ofNetwork.map((row) => (name) => row[name]),
    ).sums,
  }
}
