import type { Repository } from '../../answers/repository.ts'
import { fullReach } from '../../answers/unknown/reach.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { isList, isObject, type Json, type JsonObject, membersOf } from '../../base/values/json-writer.ts'
import type { Members, RecordMembers } from '../../catalog/members.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { operationsOf, type RestOperation } from '../contract/operations.ts'
import { type Operation, querySchema } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { wholeRange, withinDays } from '../examples.ts'
import type { OperationExample } from '../open-api/paths/document-types.ts'
import { handlerOf } from '../rest/handlers.ts'

export interface ExampleSource {
  readonly repository: Repository
  readonly dialect: Dialect
  /** Deadline of all examples together. */
  readonly requestTimeoutMs: number
  /** Called if a table cannot be read in time; its operations then have no example. */
  onError(error: unknown): void
}

type QueryValues = Readonly<Record<string, string>>

/**
 * Reads an example of every operation whose table has rows: the first record of the list, the parameters
 * that find it, and the reply. Keyed by operation id.
 */
export async function liveExamples(
  at: Snapshot,
  source: ExampleSource,
): Promise<ReadonlyMap<string, OperationExample>> {
  const signal = AbortSignal.timeout(source.requestTimeoutMs)
  const examples = new Map<string, OperationExample>()
  for (const resource of resources) {
    const operations = operationsOf([resource], source.dialect.queries)
    if (operations.length === 0) continue
    try {
      if (at.table(resource).rows === 0) continue
      for (const [id, example] of await examplesOf(resource, operations, at, source, signal))
        examples.set(id, example)
    } catch (error) {
      source.onError(error)
    }
  }
  return examples
}

async function examplesOf(
  resource: Resource,
  operations: readonly RestOperation[],
  at: Snapshot,
  { repository, dialect }: ExampleSource,
  signal: AbortSignal,
): Promise<readonly (readonly [string, OperationExample])[]> {
  const ask = (operation: RestOperation, parameters: QueryValues, id = '') => {
    const query = querySchema(resource, operation.kind, dialect.queries)(parameters)
    return handlerOf(operation, repository, dialect)({ query, at, id, reach: fullReach }).find(signal)
  }
  const range = wholeRange(resource, at)
  const list = operations.find(({ kind }) => kind === 'list')
  const page = list && membersOf((await ask(list, { ...range, per_page: '1' })).whole)
  const listed = list && page?.[dialect.envelopeOf(list.rest)]
  const [first] = isList(listed) ? listed : []
  if (first === undefined) return []
  const record = membersOf(first)
  const id = String(record.id)
  const filters = { ...filtersOf(resource, record), ...range }
  const queries: Readonly<Record<Operation, QueryValues>> = {
    list: { ...filters, per_page: '1' },
    totals: filters,
    series: filters,
    daily: withinDays(filters),
    providers: filters,
    find: {},
  }
  return await Promise.all(
    operations.map(async (operation) => {
      const query = queries[operation.kind]
      const { whole } = await ask(operation, query, id)
      return [
        operation.id,
        { parameters: operation.kind === 'find' ? { id } : query, reply: membersOf(whole) },
      ] as const
    }),
  )
}

/** Returns filters that match a record and have a value in it. */
function filtersOf(resource: Resource, record: JsonObject): QueryValues {
  const entries = Object.entries(resource.filters ?? {}).map(([name, { column, match }]) => {
    const value = valueIn(resource, record, column)
    if (value === undefined || value === null) return [name, undefined]
    if (resource.columns[column]?.kind !== 'seconds') return [name, textOf(value)]
    // `to` must be after `from`.
    const second = BigInt(String(value)) + (match === 'atMost' ? 1n : 0n)
    return [name, writeInstant(second * 1_000_000n)]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function textOf(value: Json): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Finds the value of a column in a record. */
function valueIn(resource: Resource, record: JsonObject, column: string): Json | undefined {
  const { variants, embeds = {} } = resource
  const detail = variants && partOf(record, variants.as)
  const members: Members = variants?.cases[String(record[variants.on])] ?? {}
  // An embedded record has its own id.
  const embedded = Object.keys(embeds).find((member) => column === `${member}_id`)
  if (embedded !== undefined) return partOf(record, embedded)?.id
  return memberOf(resource.record ?? {}, record, column) ?? memberOf(members, detail ?? {}, column)
}

function memberOf(members: RecordMembers, record: JsonObject, column: string): Json | undefined {
  for (const [name, member] of Object.entries(members)) {
    if (member === column) return record[name]
    if (typeof member === 'string' || !('members' in member)) continue
    const value = memberOf(member.members, partOf(record, name) ?? {}, column)
    if (value !== undefined) return value
  }
  return undefined
}

function partOf(record: JsonObject, name: string): JsonObject | undefined {
  const part = record[name]
  return isObject(part) ? part : undefined
}
