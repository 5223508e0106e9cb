import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Export, exportList } from '../../answers/export/export-list.ts'
import { inPieces } from '../../answers/export/in-pieces.ts'
import type { Repository } from '../../answers/repository.ts'
import { everything, identifiedBy } from '../../answers/rows/unknown.ts'
import { fail, sentenceOf } from '../../base/errors.ts'
import { quoted, type RawQuery } from '../../base/parameter-text.ts'
import { exportFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { exportColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { querySchema } from '../../doors/contract/query-schema.ts'
import { knownNames } from '../../doors/known-names.ts'
import { openPinnedSnapshots } from '../../doors/snapshots/pinned-snapshots.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../settings/settings.ts'
import { type OutFile, openOutFile } from '../out-file.ts'
import { openRowsProgress } from '../progress.ts'
import type { Print } from '../terminal-text.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

export interface OutFlags {
  readonly out: string
  readonly force: boolean
}

/** Names of the lists that can be exported. */
export const exported: readonly string[] = resources.flatMap(({ name, rest }) =>
  rest === undefined ? [] : [name],
)

/**
 * Writes a whole list to a file; `out` is `-` for standard output. The file gets its name once it is complete.
 * Errors: `malformed_request`, those of the lake, and of the file system.
 */
export async function runExport(
  settings: Settings,
  name: string,
  query: RawQuery,
  { out, force }: OutFlags,
  print: Print,
): Promise<void> {
  const resource = resourceNamed(name)
  const byName = exportFormats.find(({ extension }) => out.endsWith(extension))
  const checked = querySchema(resource, 'list')(query, byName)
  const { format, columns = exportColumns(resource), integersAsText } = checked
  if (format === undefined)
    fail('malformed_request', `Name a format: --format ${exportFormats.map((one) => one.name).join(', ')}.`)
  const file = out === '-' ? undefined : await openOutFile(out, { force, isStreamed: true })
  const stop = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => stop.abort(signal)
  for (const signal of signals) process.once(signal, interrupt)
  const services = await openServices(settings)
  try {
    const latest = await services.lake.latest()
    const pinned = openPinnedSnapshots(services.lake, () => latest)
    const at = checked.asOf === undefined ? latest : await pinned.of(checked.asOf, stop.signal)
    knownNames(resource)(checked.filters, at.table(resource))
    // Without the index by hotspot the list of a hotspot is searched for in all files of its months.
    for (const one of [services.index, services.blocks]) await one.load(at)
    const filters = await services.repository.dayRanges.read(resource, checked, at, stop.signal)
    const asked = { resource, filters, columns, format, options: { integersAsText } }
    const list = await exportList(services.repository, asked, at, stop.signal)
    if (list.rows === 0) await refuseUnknown(services.repository, resource, filters, at, stop.signal)
    if (file === undefined) return await writeTo(process.stdout, list, stop.signal)
    await writeFile(file, out, list, stop.signal)
    print(`${list.rows} rows of ${resource.name}, snapshot ${at.id}, are in ${out}`)
  } finally {
    await services.close()
    for (const signal of signals) process.off(signal, interrupt)
    // Once it has tidied up, it ends as it would have.
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason)
  }
}

/** Errors: `not_found` for a key, address or name that nothing has: a file without rows would say that it has none. */
async function refuseUnknown(
  { unknown }: Repository,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
  signal: AbortSignal,
): Promise<void> {
  const absent = await unknown.read(identifiedBy(resource, filters), everything, at, signal)
  const sentences = Object.entries(absent).flatMap(([param, values]) =>
    (values ?? []).map((value) => `Nothing has the ${param} ${quoted(value)}; check its spelling.`),
  )
  if (sentences.length > 0) fail('not_found', `${sentences.join(' ')} No file was written.`)
}

/** `iot_reward_shares`, or as the path of REST has it. */
function resourceNamed(name: string): Resource {
  const plain = name.replaceAll('-', '_')
  const resource = resources.find((one) => one.name === plain && exported.includes(plain))
  return resource ?? fail('malformed_request', `The list ${outsideOf(exported, [name])}.`)
}

async function writeFile(file: OutFile, out: string, list: Export, signal: AbortSignal): Promise<void> {
  try {
    await file.fill((path) => writeTo(createWriteStream(path), list, signal), signal)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && 'syscall' in cause)
      fail('lake_unwritable', `Cannot write ${out}: ${sentenceOf(cause)}.`, { cause })
    throw cause
  }
}

async function writeTo(
  stream: NodeJS.WritableStream,
  { rows, bytes }: Export,
  signal: AbortSignal,
): Promise<void> {
  const progress = openRowsProgress(process.stderr, rows)
  try {
    const pieces = Readable.from(inPieces(bytes(progress.update)), { objectMode: false })
    await pipeline(pieces, stream, { signal, end: stream !== process.stdout })
  } finally {
    progress.stop()
  }
}
