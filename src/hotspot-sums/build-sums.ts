import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedFile } from '../index/container.ts'
import type { KeyAmountsReader } from '../lake/key-amounts-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { removeAbandoned } from '../lake/run-folder.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { BuildOptions } from '../maintenance/derived.ts'
import { withScratchWriter } from '../maintenance/with-scratch-writer.ts'
import {
  bestFor,
  isComplete,
  ofMonth,
  openIfIntact,
  sumPaths,
  sumsFolder,
  tableSumsFolder,
} from './folder.ts'
import { type WantedMonth, wantedMonths } from './wanted.ts'
import { writeMonth } from './write-month.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<KeyAmountsReader>
}

/**
 * Builds the files of sums that some tables lack, each from the older one and what came since, and removes what killed builders
 * left. A file appears whole or not at all. Errors: Error when the folder cannot be written.
 */
export async function buildHotspotSums(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  const building = join(sumsFolder(request.stateFolder), 'building')
  if (tables.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (reader, scratch) => {
    for (const table of tables) {
      for (const wanted of wantedMonths(table)) await buildMonth(table, wanted, reader, scratch, request)
    }
  })
}

async function buildMonth(
  table: TableSnapshot,
  wanted: WantedMonth,
  reader: KeyAmountsReader,
  scratch: string,
  request: BuildRequest,
): Promise<void> {
  request.signal?.throwIfAborted()
  const folder = tableSumsFolder(request.stateFolder, table)
  const known = ofMonth(await sumPaths(folder), wanted).flatMap((path) => openIfIntact(path) ?? [])
  const [path, place] = [join(scratch, `${table.resource.name}-${wanted.name}`), join(folder, wanted.name)]
  try {
    if (known.some((file) => isComplete(file, wanted))) return
    request.onProgress?.(`summing the hotspots of ${table.resource.name} in ${wanted.month}`)
    await writeMonth(path, bestFor(wanted, known), { table, wanted, reader, signal: request.signal })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    // Once it is gone the month is built without it.
    await rm(error.path, { force: true })
    return await buildMonth(table, wanted, reader, scratch, request)
  } finally {
    for (const file of known) file.close()
  }
  await mkdir(folder, { recursive: true })
  await rename(path, place)
  // Whoever reads an older one has it open, and its columns are in the new one.
  for (const older of ofMonth(await sumPaths(folder), wanted))
    if (older !== place) await rm(older, { force: true })
}
