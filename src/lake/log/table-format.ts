import { isDeepStrictEqual } from 'node:util'
import { fail } from '../../base/errors.ts'
import { deltaSchema, partitionColumns } from '../../catalog/delta-schema.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type Action, describeValue, isObject, type MetaData, type Protocol } from './log-actions.ts'

/** What a table of this build says of itself in its log, and which tables of others it reads and writes. */

const READER_VERSION = 1
const WRITER_VERSION = 7

/** The last of them keeps every other writer out: none knows it. Readers leave writer features alone. */
const FEATURES: readonly string[] = ['appendOnly', 'invariants', 'ledgerlakeTags']

/** The newest data format that this build knows. Format 1 had no properties and writer version 2; format 2 had facts in the tags. */
export const FORMAT = 3
const FORMAT_PROPERTY = 'ledgerlake.format'

/** Files that were removed are kept so long for readers of older versions. */
export const RETENTION_HOURS = 168
export const COMMITS_PER_CHECKPOINT = 10

const properties: Readonly<Record<string, string>> = {
  'delta.deletedFileRetentionDuration': `interval ${RETENTION_HOURS} hours`,
  'delta.checkpointInterval': String(COMMITS_PER_CHECKPOINT),
  [FORMAT_PROPERTY]: String(FORMAT),
}

const protocol: Protocol = {
  minReaderVersion: READER_VERSION,
  minWriterVersion: WRITER_VERSION,
  writerFeatures: FEATURES,
}

/** A column of the schema in the log; the type as the JSON text that Delta gives it. */
export interface SchemaColumn {
  readonly type: string
  readonly nullable: boolean
}

type Columns = ReadonlyMap<string, SchemaColumn>

/** Errors: `lake_unsupported`. */
export function refuseNewerReader({ minReaderVersion }: Protocol, path: string): void {
  if (minReaderVersion <= READER_VERSION) return
  fail(
    'lake_unsupported',
    `${path} asks for Delta reader version ${minReaderVersion}; this program reads version ${READER_VERSION}.`,
  )
}

/** Errors: `lake_unsupported`; `lake_damaged` for a format that is none. */
export function refuseNewerFormat({ configuration }: MetaData, path: string): void {
  const format = configuration[FORMAT_PROPERTY] ?? '1'
  if (!/^[1-9]\d{0,8}$/.test(format)) {
    fail('lake_damaged', `${path} has the ${FORMAT_PROPERTY} ${describeValue(format)}; a number is accepted.`)
  }
  if (Number(format) <= FORMAT) return
  fail(
    'lake_unsupported',
    `${path} was written by a newer ledgerlake (data format ${format}); this one knows formats up to ${FORMAT}; upgrade it.`,
  )
}

/** The data format of a table that was read. */
export function formatOf({ configuration }: MetaData): number {
  return Number(configuration[FORMAT_PROPERTY] ?? '1')
}

/** What a table says of itself. */
interface Described {
  readonly protocol: Protocol
  readonly metaData: MetaData
  readonly columns: Columns
}

/**
 * Refuses to write what another build or program could no longer make sense of.
 * Errors: `lake_unsupported`.
 */
export function refuseWriting(table: string, resource: Resource, { protocol, columns }: Described): void {
  const { minWriterVersion, writerFeatures = [] } = protocol
  const unknown = writerFeatures.filter((name) => !FEATURES.includes(name))
  const isKnown = minWriterVersion <= 2 || minWriterVersion === WRITER_VERSION
  if (!isKnown || unknown.length > 0) {
    const asked = unknown.length === 0 ? '' : ` with ${unknown.join(', ')}`
    fail(
      'lake_unsupported',
      `${table} asks for Delta writer version ${minWriterVersion}${asked}; ` +
        `this program writes versions 1, 2, and 7 with ${FEATURES.join(', ')}.`,
    )
  }
  const declared = columnsOf(deltaSchema(resource), table)
  const foreign = [...columns].filter(([name, { type }]) => declared.get(name)?.type !== type)
  if (foreign.length === 0) return
  const names = foreign.map(([name, { type }]) => `${name} (${type.replaceAll('"', '')})`).join(', ')
  fail(
    'lake_unsupported',
    `${table} has columns that this program does not declare: ${names}; a newer ledgerlake wrote them; upgrade this one.`,
  )
}

/** The actions by which the next commit makes a table one of this build; none when it is. Times in milliseconds. */
export function formatActions(
  resource: Resource,
  table: Described | undefined,
  fresh: { readonly id: string; readonly createdTime: number },
): readonly Action[] {
  const { id, createdTime, configuration } = { configuration: {}, ...fresh, ...table?.metaData }
  const metaData: MetaData = {
    id,
    name: resource.name,
    description: resource.doc,
    format: { provider: 'parquet', options: {} },
    schemaString: deltaSchema(resource),
    partitionColumns: partitionColumns(resource),
    configuration: { ...configuration, ...properties },
    createdTime,
  }
  return isCurrent(resource, table) ? [] : [{ protocol }, { metaData }]
}

/** Words for people and the order of columns may differ until something else has to be written anyway. */
function isCurrent(resource: Resource, table: Described | undefined): boolean {
  if (table === undefined) return false
  const { configuration } = table.metaData
  const declared = [...columnsOf(deltaSchema(resource), resource.name)]
  return (
    isSameProtocol(table.protocol) &&
    declared.every(([name, column]) => isDeepStrictEqual(table.columns.get(name), column)) &&
    Object.entries(properties).every(([name, value]) => configuration[name] === value)
  )
}

function isSameProtocol(own: Protocol): boolean {
  return (
    own.minWriterVersion === WRITER_VERSION && FEATURES.every((name) => own.writerFeatures?.includes(name))
  )
}

/** The columns of a `schemaString`, by name. `table` is named in errors. Errors: `lake_damaged`. */
export function columnsOf(schemaString: string, table: string): Columns {
  try {
    const { fields }: { fields: readonly unknown[] } = JSON.parse(schemaString)
    return new Map(
      fields.map((field) => {
        if (!isObject(field) || typeof field.name !== 'string') throw new TypeError('no column')
        return [field.name, { type: JSON.stringify(field.type), nullable: field.nullable === true }]
      }),
    )
  } catch (cause) {
    return fail(
      'lake_damaged',
      `${table} has a schemaString that is no schema; restore its log from a copy.`,
      {
        cause,
      },
    )
  }
}
