import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { readTableLog } from './delta-log.ts'
import { moveInto, replaceFile, syncFile } from './disk.ts'
import { checkpointPath, lastCheckpointPath, tableFolder } from './layout.ts'
import type { RowWriter } from './row-writer.ts'

const COMMITS_PER_CHECKPOINT = 100

/**
 * Sums the log up in a Parquet checkpoint after every hundredth commit, so that other readers need not open
 * every entry. The entries stay, and they alone are what this program reads.
 * One that was missed, since its writer died or another commit came in between, the next commit makes up for.
 */
export async function checkpointIfDue(
  lake: string,
  resource: Resource,
  writer: RowWriter,
  staging: string,
): Promise<void> {
  const table = tableFolder(lake, resource)
  const log = await readTableLog(table)
  if (log === undefined || hundredsOf(log.version) <= hundredsOf(await lastCheckpoint(table))) return
  const adds = [...log.live.values()].map((add) => ({ add: { ...add, dataChange: false } }))
  const actions = [{ protocol: log.protocol }, { metaData: log.metaData }, ...adds]
  const [ndjson, parquet] = [join(staging, 'checkpoint.json'), join(staging, 'checkpoint.parquet')]
  await writeFile(ndjson, actions.map((action) => `${JSON.stringify(action)}\n`).join(''))
  await writer.writeCheckpoint(ndjson, parquet)
  await syncFile(parquet)
  await moveInto(parquet, checkpointPath(table, log.version))
  const pointer = { version: log.version, size: actions.length }
  await replaceFile(lastCheckpointPath(table), JSON.stringify(pointer), join(staging, '_last_checkpoint'))
}

function hundredsOf(version: number): number {
  return Math.floor(version / COMMITS_PER_CHECKPOINT)
}

/** Version of the newest checkpoint; 0 when there is none, or when what names it cannot be read. */
async function lastCheckpoint(table: string): Promise<number> {
  try {
    const { version } = JSON.parse(await readFile(lastCheckpointPath(table), 'utf8')) as { version?: unknown }
    return Number.isSafeInteger(version) ? Number(version) : 0
  } catch {
    return 0
  }
}
