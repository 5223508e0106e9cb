import { cp } from 'node:fs/promises'
import { ingestInto } from './build-lake.ts'
import { smallNetwork } from './fixtures.ts'
import { makeFolder } from './temporary-folder.ts'

let made: Promise<string> | undefined

/** Puts a lake of the small network into a folder. It is ingested once for many test files, and copied. */
export async function copySmallLake(folder: string): Promise<void> {
  made ??= ingestSmallNetwork()
  await cp(await made, folder, { recursive: true })
}

async function ingestSmallNetwork(): Promise<string> {
  const { folder } = await makeFolder()
  const { stored, failed, refusedRows } = await ingestInto(folder, [smallNetwork])
  if (stored !== 29 || failed.length > 0 || refusedRows > 0)
    throw new Error('the small network was not taken in')
  return folder
}
