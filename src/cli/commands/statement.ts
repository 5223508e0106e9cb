import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { csvName, type StatementPart } from '../../answers/statement/csv-files.ts'
import { readKeyLines } from '../../answers/statement/key-lines.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fail, sentenceOf } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { prettyJson } from '../../base/values/pretty-json.ts'
import { statementQuery } from '../../doors/contract/statement-query.ts'
import { openPinnedSnapshots } from '../../doors/snapshots/pinned-snapshots.ts'
import { isMissing, moveInto, syncFile, syncFolder } from '../../lake/disk/disk.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../settings/settings.ts'
import { summaryText } from '../summary-text.ts'
import type { Print } from '../terminal-text.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Writes a statement to the folder `out`, which gets its name once everything is in it.
 * Errors: `malformed_request`, `not_found`, those of the lake, and of the file system.
 */
export async function runStatement(
  settings: Settings,
  query: RawQuery,
  keysFile: string | undefined,
  out: string,
  print: Print,
): Promise<void> {
  const { owner, days, tz, asOf } = statementQuery(query, keysFile === undefined)
  const keys = keysFile === undefined ? undefined : await readKeys(keysFile)
  const holder = { ...(owner !== undefined && { owner }), ...(keys !== undefined && { keys }) }
  const folder = resolve(out)
  await requireFree(folder, out)
  const stop = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => stop.abort(signal)
  for (const signal of signals) process.once(signal, interrupt)
  const services = await openServices(settings)
  try {
    const latest = await services.lake.latest()
    const pinned = openPinnedSnapshots(services.lake, () => latest)
    const at = asOf === undefined ? latest : await pinned.of(asOf, stop.signal)
    // Without the index by hotspot each list of a hotspot is searched for in all files of its months.
    for (const one of services.derived) await one.load(at)
    const parts = statementOf(services.repository, { holder, days, tz }, at, stop.signal)
    const summary = await writeFolder(folder, out, parts)
    print(summaryText(summary).trimEnd())
    print(`The statement is in ${out}`)
  } finally {
    await services.close()
    for (const signal of signals) process.off(signal, interrupt)
    // Once it has tidied up, it ends as it would have.
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason)
  }
}

async function readKeys(path: string) {
  const text = await readFile(path, 'utf8').catch((cause) =>
    fail('malformed_request', `Cannot read --keys-file ${path}: ${sentenceOf(cause)}.`, { cause }),
  )
  return readKeyLines(text, path)
}

async function requireFree(folder: string, out: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return []
    return fail('malformed_request', `Cannot write to --out ${out}: ${sentenceOf(error)}.`)
  })
  if (names.length > 0) fail('malformed_request', `--out ${out} is there already; name a folder that is not.`)
}

/** Writes beside the folder, then gives it its name. */
async function writeFolder(
  folder: string,
  out: string,
  parts: AsyncGenerator<StatementPart, JsonObject>,
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
    const names = ['summary.json', 'summary.txt', ...[...files.keys()].map(csvName)]
    for (const name of names) await syncFile(join(unfinished, name))
    await syncFolder(unfinished)
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
