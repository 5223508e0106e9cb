import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ParquetEnvelopeReader } from 'parquetjs-lite/lib/reader.js'
import { serializeThrift } from 'parquetjs-lite/lib/util.js'
import { addedFiles, locationOf } from './delta-table.ts'
import { entryPath, rewriteEntry } from './log-entries.ts'

type FooterRead = Awaited<ReturnType<ParquetEnvelopeReader['readFooter']>>

/** A footer whose parts can be set. */
export type PlantedFooter = {
  -readonly [Name in keyof FooterRead]: FooterRead[Name]
}

/**
 * Changes the footer of the newest data file of a table, and gives the log the file's new length and digest. Returns
 * the path of the file within the table.
 */
export async function plantFooter(
  table: string,
  change: (footer: PlantedFooter) => void,
  edit: (file: Buffer) => void = () => {},
): Promise<string> {
  const file = addedFiles(table).at(-1)
  if (file === undefined) throw new Error(`${table} has no file`)
  const path = locationOf(table, file)
  const planted = await withFooter(path, change)
  edit(planted)
  writeFileSync(path, planted)
  const log = join(table, '_delta_log')
  const names = readdirSync(log)
  for (const name of names.filter((one) => /snapshot|checkpoint/.test(one))) rmSync(join(log, name))
  const newest = names.filter((name) => /^\d+\.json$/.test(name)).length - 1
  const digest = createHash('sha256').update(planted).digest('hex')
  rewriteEntry(entryPath(table, newest), (actions) =>
    actions.map((action) => {
      if (action.add?.path !== file.path) return action
      const tags = { ...(action.add.tags as object), 'ledgerlake.sha256': digest }
      return { add: { ...action.add, size: planted.length, tags } }
    }),
  )
  return file.path
}

async function withFooter(path: string, change: (footer: PlantedFooter) => void): Promise<Buffer> {
  const reader = await ParquetEnvelopeReader.openFile(path)
  const footer = await reader.readFooter()
  await reader.close()
  change(footer)
  const bytes = readFileSync(path)
  const data = bytes.subarray(0, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8))
  const written = serializeThrift(footer)
  const end = Buffer.from('0000PAR1')
  end.writeUInt32LE(written.length)
  return Buffer.concat([data, written, end])
}
