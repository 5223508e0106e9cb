import { isDeepStrictEqual } from 'node:util'
import { fail } from '../../base/errors.ts'
import { deltaSchema, partitionColumns } from '../../catalog/delta-schema.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type Action, describeValue, isMembers, type MetaData, type Protocol } from './log-actions.ts'

const READER_VERSION = 1
const WRITER_VERSION = 7

/** `ledgerlakeTags` excludes all other writers. Readers ignore writer features. */
const FEATURES: readonly string[] = ['appendOnly', 'invariants', 'ledgerlakeTags']

/** Newest supported data format. Format 1 had no properties and writer version 2; format 2 had facts in the tags. */
export const FORMAT = 3
const FORMAT_PROPERTY = 'ledgerlake.format'

/** Removed files are kept this long for readers of older versions. */
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

/** A column of the schema in the log; `type` is Delta's JSON text. */
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

/** Errors: `lake_unsupported`; `lake_damaged` for an invalid format. */
export function refuseNewerFormat({ configuration }: MetaData, path: string): void {
  const format = configuration[FORMAT_PROPERTY] ?? '1'
  if (!/^[1-9]\d{0,8}$/.test(format)) {
    fail('lake_damaged', `${path} has the ${FORMAT_PROPERTY} ${describeValue(format)}; expected a number.`)
  }
  if (Number(format) <= FORMAT) return
  fail(
    'lake_unsupported',
    `${path} was written by a newer ledgerlake (data format ${format}); this one knows formats up to ${FORMAT}; upgrade it.`,
  )
}

export function formatOf({ configuration }: MetaData): number {
  return Number(configuration[FORMAT_PROPERTY] ?? '1')
}

/** Protocol, metadata and schema of a table. */
interface Described {
  readonly protocol: Protocol
  readonly metaData: MetaData
  readonly columns: Columns
}

/**
 * Refuses to write tables of a newer build or of another program.
 * Errors: `lake_unsupported`.
 */
export function refuseWriting(table: string, resource: Resource, { protocol, columns }: Described): void {
  const { minWriterVersion, writerFeatures = [] } = protocol
  const unknown = writerFeatures.filter((name) => !FEATURES.includes(name))
  const isSupported = minWriterVersion <= 2 || minWriterVersion === WRITER_VERSION
  if (!isSupported || unknown.length > 0) {
    const features = unknown.length === 0 ? '' : ` with ${unknown.join(', ')}`
    fail(
      'lake_unsupported',
      `${table} asks for Delta writer version ${minWriterVersion}${features}; ` +
        `this program writes versions 1, 2, and 7 with ${FEATURES.join(', ')}.`,
    )
  }
  const declared = readSchemaColumns(deltaSchema(resource), table)
  const foreign = [...columns].filter(([name, { type }]) => declared.get(name)?.type !== type)
  if (foreign.length === 0) return
  const names = foreign.map(([name, { type }]) => `${name} (${type.replaceAll('"', '')})`).join(', ')
  fail(
    'lake_unsupported',
    `${table} has columns that this program does not declare: ${names}; a newer ledgerlake wrote them; upgrade this one.`,
  )
}

/** Returns the actions that upgrade a table to this build; empty when it is current. Times in milliseconds. */
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

/** Ignores descriptions and the order of columns, which do not justify a commit. */
function isCurrent(resource: Resource, table: Described | undefined): boolean {
  if (table === undefined) return false
  const { configuration } = table.metaData
  const declared = [...readSchemaColumns(deltaSchema(resource), resource.name)]
  return (
    isCurrentProtocol(table.protocol) &&
    declared.every(([name, column]) => isDeepStrictEqual(table.columns.get(name), column)) &&
    Object.entries(properties).every(([name, value]) => configuration[name] === value)
  )
}

function isCurrentProtocol({ minWriterVersion, writerFeatures }: Protocol): boolean {
  return minWriterVersion === WRITER_VERSION && FEATURES.every((name) => writerFeatures?.includes(name))
}

/** Reads the columns of a `schemaString`, by name. `table` is named in errors. Errors: `lake_damaged`. */
export function readSchemaColumns(schemaString: string, table: string): Columns {
  try {
    const { fields }: { fields: readonly unknown[] } = JSON.parse(schemaString)
    return new Map(
      fields.map((field) => {
        if (!isMembers(field) || typeof field.name !== 'string') throw new TypeError('no column')
        return [field.name, { type: JSON.stringify(field.type), nullable: field.nullable === true }]
      }),
    )
  } catch (cause) {
    const sentence = `${table} has a schemaString that is not a schema; restore its log from a copy.`
    return fail('lake_damaged', sentence, { cause })
  }
}
