import { randomUUID } from 'node:crypto'
import type { Resource } from '../../catalog/resource.ts'
import { createIfAbsent } from '../disk/disk.ts'
import { logEntryPath, runFolder, tableFolder } from '../disk/layout.ts'
import { readClock } from '../disk/this-machine.ts'
import type { Action, AddAction } from './log-actions.ts'
import { ENGINE, writeActionLines } from './log-entry.ts'
import { formatActions } from './table-format.ts'
import type { TableLog } from './table-state.ts'

export interface CommitLabel {
  readonly operation: string
  readonly runId: string
}

/** Files that a commit adds and removes. */
export interface Change {
  readonly removes: readonly AddAction[]
  readonly adds: readonly AddAction[]
  /** False when the added files have the rows of the removed ones. */
  readonly dataChange: boolean
}

/** Creates the log entry of a version; resolves to false when another commit took the version. */
export type CreateEntry = (version: number, text: string) => Promise<boolean>

/** Creates entries in the local folder of a lake, staged in the folder of the run. */
export function createHere(lake: string, resource: Resource, runId: string): CreateEntry {
  const table = tableFolder(lake, resource)
  return (version, text) => createIfAbsent(logEntryPath(table, version), text, runFolder(lake, runId))
}

/**
 * Writes the log entry that follows `log`, with protocol and metaData if this build changes them. Resolves to false
 * when another commit took the version.
 */
export async function appendEntry(
  resource: Resource,
  log: TableLog | undefined,
  change: Change,
  label: CommitLabel,
  create: CreateEntry,
): Promise<boolean> {
  const version = (log?.version ?? -1) + 1
  // After a clock was set back, a commit must not seem older than its predecessor.
  const { now, ...sinceStart } = readClock()
  const timestamp = Math.max(now, log?.committedAt ?? 0)
  const clock = { ...sinceStart, ...(timestamp > now && { clockBehind: timestamp - now }) }
  const { dataChange } = change
  const actions: readonly Action[] = [
    ...formatActions(resource, log, { id: randomUUID(), createdTime: timestamp }),
    ...change.removes.map(({ path, partitionValues, size }) => ({
      remove: {
        path,
        deletionTimestamp: timestamp,
        dataChange,
        extendedFileMetadata: true,
        partitionValues,
        size,
      },
    })),
    ...change.adds.map((add) => ({ add: { ...add, dataChange } })),
  ]
  const facts = describe(resource, log, change, label)
  const text = writeActionLines(
    (digest) => ({ commitInfo: { timestamp, ...facts, ...clock, digest } }),
    actions,
  )
  return await create(version, text)
}

/** Makes a `commitInfo` with the members that Delta uses; parameters and metrics are texts. */
function describe(
  { partition }: Resource,
  log: TableLog | undefined,
  { removes, adds, dataChange }: Change,
  { operation, runId }: CommitLabel,
): object {
  return {
    operation: operationOf(removes.length, adds.length, dataChange),
    operationParameters: {
      command: operation,
      ...(removes.length === 0 && { mode: 'Append' }),
      partitionBy: JSON.stringify(partition === null ? [] : [partition.by]),
    },
    ...(log !== undefined && { readVersion: log.version }),
    isBlindAppend: removes.length === 0,
    operationMetrics: {
      numFiles: String(adds.length),
      numOutputRows: String(sum(adds.map(({ stats }) => rowsOf(stats)))),
      numOutputBytes: String(sum(adds.map(({ size }) => size))),
      numRemovedFiles: String(removes.length),
      numRemovedBytes: String(sum(removes.map(({ size }) => size))),
    },
    engineInfo: ENGINE,
    runId,
  }
}

function operationOf(removes: number, adds: number, dataChange: boolean): string {
  if (!dataChange) return 'OPTIMIZE'
  if (removes === 0) return 'WRITE'
  return adds === 0 ? 'DELETE' : 'MERGE'
}

function rowsOf(stats: string | undefined): number {
  return Number(String(stats).replace(/^\{"numRecords":(\d+).*$/s, '$1'))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
