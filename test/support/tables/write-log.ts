import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deltaSchema, partitionColumns } from '../../../src/catalog/delta-schema.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { logEntryPath, tableFolder } from '../../../src/lake/disk/layout.ts'
import { inlineTags } from './file-facts.ts'
import { madeUpSource } from './staged-files.ts'

/** Milliseconds since 1970 of an ISO text, by the clock of JavaScript. */
export const ms = (text: string) => Date.parse(text)

/** The end of the only period that logs written here have. */
const PERIOD = '2025-01-29T00:00:00Z'

/**
 * Writes the log of a table, a commit for each of the times (undefined: a commit that does not tell its time) from version
 * `first` on. Each adds so many files of one row that pays 1; there are no data files, so only what the log answers can
 * be asked. Where it `replaces`, the file of the commit before is removed.
 */
export function writeLog(
  lake: string,
  resource: Resource,
  times: readonly (number | undefined)[],
  { id = '11111111-2222-4333-8444-555555555555', first = 0, files = 1, replaces = false } = {},
): void {
  mkdirSync(dirname(logEntryPath(tableFolder(lake, resource), 0)), { recursive: true })
  for (const [index, timestamp] of times.entries()) {
    const version = first + index
    const actions = [
      ...(timestamp === undefined ? [] : [{ commitInfo: { timestamp, operation: 'WRITE', runId: id } }]),
      ...(version === 0 ? tableActions(resource, id) : []),
      ...(replaces && version > 0 ? [{ remove: removeOf(`${version - 1}-0`) }] : []),
      ...Array.from({ length: files }, (_, place) => ({ add: addOf(`${version}-${place}`) })),
    ]
    const text = actions.map((action) => `${JSON.stringify(action)}\n`).join('')
    writeFileSync(logEntryPath(tableFolder(lake, resource), version), text)
  }
}

/** What the first commit of a table says of it. */
export function tableActions(resource: Resource, id: string) {
  return [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    {
      metaData: {
        ...{ id, name: resource.name, format: { provider: 'parquet', options: {} } },
        ...{ schemaString: deltaSchema(resource), partitionColumns: partitionColumns(resource) },
        configuration: {},
      },
    },
  ]
}

const pathOf = (name: string) => `month=2025-01/part-${name}.parquet`

function removeOf(name: string) {
  return { path: pathOf(name), deletionTimestamp: 0, dataChange: true }
}

function addOf(name: string) {
  const amounts = { beacon_amount: 0n, witness_amount: 0n, dc_transfer_amount: 0n, amount: 1n }
  const group = { period: BigInt(ms(PERIOD)) * 1000n, type: 'operational_reward', rows: 1 }
  const source = madeUpSource(`${name}.gz`, { groups: [{ ...group, sums: amounts }] })
  return {
    path: pathOf(name),
    partitionValues: { month: '2025-01' },
    ...{ size: 1, modificationTime: 0, dataChange: true },
    tags: inlineTags('cd'.repeat(32), { sources: [source], chunks: [] }),
  }
}
