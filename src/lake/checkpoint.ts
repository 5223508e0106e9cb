import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { readTableLog } from './delta-log.ts'
import { moveInto, replaceFile, syncFile } from './disk.ts'
import { logFolder, tableFolder } from './layout.ts'
import type { RowWriter } from './row-writer.ts'

const COMMITS_PER_CHECKPOINT = 100

/**
 * Sums the log up in a Parquet checkpoint after every hundredth commit, so that other readers need not open
 * every entry. The entries stay, and they alone are what this program reads.
 */
export async function checkpointIfDue(
  lake: string,
  resource: Resource,
  writer: RowWriter,
  stagedFile: string,
): Promise<void> {
  const table = tableFolder(lake, resource)
  const log = await readTableLog(table)
  if (log === undefined || log.version === 0 || log.version % COMMITS_PER_CHECKPOINT !== 0) return
  const adds = [...log.live.values()].map((add) => ({ add: { ...add, dataChange: false } }))
  const actions = [{ protocol: log.protocol }, { metaData: log.metaData }, ...adds]
  await writeFile(`${stagedFile}.json`, actions.map((action) => `${JSON.stringify(action)}\n`).join(''))
  await writer.writeCheckpoint(`${stagedFile}.json`, stagedFile)
  await syncFile(stagedFile)
  const digits = String(log.version).padStart(20, '0')
  await moveInto(stagedFile, join(logFolder(table), `${digits}.checkpoint.parquet`))
  const pointer = { version: log.version, size: actions.length }
  await replaceFile(join(logFolder(table), '_last_checkpoint'), JSON.stringify(pointer))
}
