import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { csvName, type StatementPart } from '../../../answers/statement/csv-files.ts'
import { fail, sentenceOf } from '../../../base/errors.ts'
import type { JsonObject } from '../../../base/values/json-writer.ts'
import { prettyJson } from '../../../base/values/pretty-json.ts'
import { isMissing, moveInto, syncFile, syncFolder } from '../../../lake/disk/disk.ts'
import { summaryPage } from './summary-page.ts'
import { summaryText } from './summary-text.ts'

export async function requireFree(folder: string, out: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return []
    return fail('malformed_request', `Cannot write to --out ${out}: ${sentenceOf(error)}.`)
  })
  if (names.length > 0) fail('malformed_request', `--out ${out} is there already; name a folder that is not.`)
}

/** Writes the files to a temporary folder, then renames it. `beforeItAppears` gets the summary of the complete files. */
export async function writeFolder(
  folder: string,
  out: string,
  parts: AsyncGenerator<StatementPart, JsonObject>,
  beforeItAppears: (summary: JsonObject) => Promise<void> = async () => {},
): Promise<JsonObject> {
  const unfinished = `${folder}.${process.pid}.unfinished`
  const files = new Map<string, WriteStream>()
  try {
    await mkdir(unfinished, { recursive: true })
    let part = await parts.next()
    for (; part.done !== true; part = await parts.next()) {
      const { token, bytes } = part.value
      const file = files.get(token) ?? createWriteStream(join(unfinished, csvName(token)), { flags: 'wx' })
      files.set(token, file)
      await new Promise<void>((done, failed) => {
        file.write(bytes, (error) => (error ? failed(error) : done()))
      })
    }
    for (const file of files.values()) await finished(file.end())
    await writeFile(join(unfinished, 'summary.json'), `${prettyJson(part.value)}\n`)
    await writeFile(join(unfinished, 'summary.txt'), summaryText(part.value))
    await writeFile(join(unfinished, 'summary.html'), summaryPage(part.value))
    const names = ['summary.json', 'summary.txt', 'summary.html', ...[...files.keys()].map(csvName)]
    for (const name of names) await syncFile(join(unfinished, name))
    await syncFolder(unfinished)
    await beforeItAppears(part.value)
    await moveInto(unfinished, folder)
    return part.value
  } catch (cause) {
    for (const file of files.values()) file.destroy()
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
    if (cause instanceof Error && 'code' in cause && 'syscall' in cause)
      fail('lake_unwritable', `Cannot write ${out}: ${sentenceOf(cause)}.`, { cause })
    throw cause
  }
}
