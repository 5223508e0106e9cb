import { hash } from 'node:crypto'
import { resources } from '../../catalog/resources.ts'

/** A table name. It may be one that this build no longer declares. */
export interface TableName {
  readonly name: string
}

/** A table at a version, with the digest of its log entry. */
export interface NamedVersion {
  readonly resource: TableName
  readonly version: number
  readonly digest: string
}

const CONTENT_DIGITS = 12

/**
 * Writes the id of a snapshot: three letters and a version for each table, and a digest of the newest log entries. An id
 * gives its versions without any state, and two lakes share an id only if one is a copy of the other. Empty for no
 * tables.
 */
export function writeSnapshotId(tables: readonly NamedVersion[]): string {
  if (tables.length === 0) return ''
  const lines = tables.map(({ resource, version, digest }) => `${resource.name} ${version} ${digest}\n`)
  const parts = tables.map(({ resource, version }) => `${tagOf(resource)}${version}`)
  const content = hash('sha256', lines.sort().join('')).slice(0, CONTENT_DIGITS)
  return `${parts.sort().join('')}-${content}`
}

/** Derives three letters from the name of a table. */
function tagOf({ name }: TableName): string {
  const bytes = hash('sha256', name, 'buffer').subarray(0, 3)
  return [...bytes].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
}

/** Order of versions in ids from before they named their lake, such as `3..12`. It never changes. */
const namesInOldIds = [
  'iot_reward_shares',
  'mobile_reward_shares',
  'reward_manifests',
  'iot_witness_ingest_reports',
  'rejects',
  'makers',
  'hotspots',
  'l1_accounts',
  'l1_transactions',
  'l1_transaction_actors',
  'l1_dc_burns',
  'l1_gateways',
  'l1_packets',
  'l1_rewards',
]

const VERSION = '(?:0|[1-9]\\d{0,14})'
const SNAPSHOT_ID = new RegExp(`^(?:[a-z]{3}${VERSION})+-[0-9a-f]{${CONTENT_DIGITS}}$`)
/** A number alone is not an id: it named only the first table. */
const OLD_ID = new RegExp(`^${VERSION}?(?:\\.${VERSION}?)*\\.${VERSION}$`)

/** Checks the syntax of an id that has a digest of its lake. */
export function namesItsLake(id: string): boolean {
  return SNAPSHOT_ID.test(id)
}

/**
 * Reads the versions of `tables` in a snapshot id; undefined when it names none of them, or the text is no snapshot
 * id.
 */
export function versionsOfId(
  id: string,
  tables: readonly TableName[] = resources,
): ReadonlyMap<TableName, number> | undefined {
  const named = new Map(namesItsLake(id) ? partsOf(id) : OLD_ID.test(id) ? partsOfOldId(id) : [])
  const versions = tables.flatMap((table) => {
    const version = named.get(tagOf(table))
    return version === undefined ? [] : [[table, Number(version)] as const]
  })
  return versions.length === 0 ? undefined : new Map(versions)
}

type Part = readonly [tag: string, version: string]

function partsOf(id: string): readonly Part[] {
  const parts = [...id.slice(0, id.indexOf('-')).matchAll(/([a-z]{3})(\d+)/g)]
  return parts.map(([, tag = '', version = '']) => [tag, version])
}

function partsOfOldId(id: string): readonly Part[] {
  const versions = id.split('.')
  if (versions.length > namesInOldIds.length) return []
  return namesInOldIds.flatMap((name, index): readonly Part[] => {
    const version = versions[index] ?? ''
    return version === '' ? [] : [[tagOf({ name }), version]]
  })
}
