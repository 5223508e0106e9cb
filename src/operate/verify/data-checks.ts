import { lstat, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { sentenceOf, systemWordsOf } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { digestOf, hashFile } from '../../lake/disk/disk.ts'
import { isDataFilePath, isFactsPath } from '../../lake/disk/layout.ts'
import type { Chunk } from '../../lake/facts/chunk.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { InspectedFile } from '../../lake/ports/content-reader.ts'
import type { FileFacts } from '../../lake/ports/file-writer.ts'
import { writeStats } from '../../lake/snapshot/file-stats.ts'
import { findDifference } from '../../write/store/verify-staged-file.ts'
import type { Check, RowsCheck } from './check.ts'
import { type Finding, fault, listed, note, repairs } from './finding.ts'
import { compareFooter } from './footer/compare-footer.ts'
import { readFooter } from './footer/read-footer.ts'
import { liveFile, type NamedFile, type TableView } from './table-view.ts'

/** Returns the check of a data file or its facts; undefined for any other file. */
export function dataCheck(table: TableView, path: string, file: string): Check | undefined {
  const name = relative(table.folder, path)
  if (!isDataFilePath(name) && !isFactsPath(name)) return undefined
  const named = table.named.get(name)
  if (named === undefined) return { isNeeded: false, bytes: async () => [orphan(table, file)] }
  const live = liveFile(table, name)
  const isLive = table.log?.live.has(named.factsOf ?? name) === true
  const bytes = () => checkBytes(path, named, live ?? isLive, file)
  const { resource } = table
  if (live === undefined || resource === undefined) return { isNeeded: isLive, bytes }
  return {
    isNeeded: isLive,
    bytes: async () => {
      const findings = await bytes()
      return findings.length > 0 ? findings : await checkFooter(path, resource, live, file)
    },
    rows: rowsCheck(table, resource, name, live, file),
  }
}

function orphan({ isWhole }: TableView, file: string): Finding {
  if (isWhole) return note('leftover', file, 'No version of the table names it.', repairs.vacuum)
  const what = 'It cannot be checked while the log of its table is damaged.'
  return note('data file', file, what, 'repair the log first')
}

/**
 * A missing or damaged data file: the lost rows and the repair. `live` is true for a table that this build does not
 * declare.
 */
export function lostFile(file: string, what: string, live: DataFile | boolean): Finding {
  if (live === true) return fault('data file', file, what, repairs.fromCopy)
  if (live === false) {
    const repair = `${repairs.fromCopy}; or ${repairs.vacuum}`
    return fault('data file', file, `${what} Only older snapshots need it.`, repair)
  }
  const sources = live.sources.map(({ name }) => name)
  const again = `ledgerlake verify --repair PATH..., with ${listed(sources)}`
  return fault('data file', file, what, `${repairs.fromCopy}; or ${again}`, sources)
}

/** Read short files at once: a stream would allocate a buffer of this size for each of many thousand files. */
const READ_AT_ONCE = 2 ** 20

async function checkBytes(
  path: string,
  { bytes, sha256 }: NamedFile,
  live: DataFile | boolean,
  file: string,
): Promise<readonly Finding[]> {
  const lost = (what: string) => [lostFile(file, what, live)]
  const facts = await lstat(path)
  if (!facts.isFile()) return lost('It is not a regular file; put the file itself in its place.')
  if (facts.size !== bytes) return lost(`It has ${facts.size} bytes where the log says ${bytes}.`)
  const foreign = 'Another program added it, without a digest.'
  if (sha256 === undefined) return [fault('data file', file, foreign, 'remove it with what added it')]
  const isShort = facts.size <= READ_AT_ONCE
  const actual = isShort ? digestOf(await readFile(path)) : await hashFile(path)
  return actual === sha256 ? [] : lost('It does not have the SHA-256 that the log says.')
}

/** Compares the log and the schema with the footer of a file, read by another library than the engine that wrote it. */
async function checkFooter(
  path: string,
  resource: Resource,
  live: DataFile,
  file: string,
): Promise<readonly Finding[]> {
  try {
    const what = compareFooter(await readFooter(path), resource, live)
    return what === undefined ? [] : [wrongRows(file, what, live)]
  } catch (error) {
    const words = systemWordsOf(error) ?? 'it is not that of a Parquet file'
    return [wrongRows(file, `Its footer cannot be read: ${words}.`, live)]
  }
}

const wrongRows = (file: string, what: string, live: DataFile): Finding => ({
  ...lostFile(file, what, live),
  kind: 'rows',
})

/** Compares the log with the content of a file: rows, sums, positions, statistics, chunks and order. */
function rowsCheck(
  { log }: TableView,
  resource: Resource,
  name: string,
  live: DataFile,
  file: string,
): RowsCheck {
  const wrong = (what: string): readonly Finding[] => [wrongRows(file, what, live)]
  const failed = (error: unknown) => wrong(`It cannot be read: ${sentenceOf(error).split('\n')[0]}`)
  const compare = (facts: InspectedFile): readonly Finding[] => {
    const rows = findDifference(live.path, facts, live.sources)
    if (rows !== undefined) return wrong(`The log says other rows than the file has: ${rows}.`)
    if (facts.misplaced > 0) return wrong(`${facts.misplaced} of its rows are not in the order of the table.`)
    const columns = Object.entries(resource.columns).filter(([column]) => !live.lacks.includes(column))
    const stats = writeStats({ ...resource, columns: Object.fromEntries(columns) }, facts)
    const said = log?.live.get(name)?.stats
    if (said !== undefined && said !== stats)
      return wrong(`Its statistics in the log differ from its rows: ${firstDifference(said, stats)}.`)
    const chunk = differingChunk(live.chunks, facts.chunks)
    return chunk === undefined ? [] : wrong(`The log says other values of its rows from ${chunk} on.`)
  }
  return { resource, file: live, compare, failed }
}

const firstDifference = (log: string, file: string) => {
  const start = Math.max(0, [...log].findIndex((character, at) => character !== file[at]) - 20)
  return `${log.slice(start, start + 60)} where it has ${file.slice(start, start + 60)}`
}

/** Returns the first row of the first chunk that differs from the log. Ignores values that the log lacks. */
function differingChunk(inLog: readonly Chunk[], inFile: FileFacts['chunks']): number | undefined {
  const says = ({ bounds, counts }: Chunk) => Object.keys(bounds).length + Object.keys(counts).length > 0
  return inLog.find((loggedChunk) => {
    if (!says(loggedChunk)) return false
    const chunk = inFile.find(({ first }) => first === loggedChunk.first)
    return (
      chunk?.rows !== loggedChunk.rows ||
      Object.entries(loggedChunk.bounds).some(
        ([column, ends]) => chunk.bounds[column]?.join('\0') !== ends.join('\0'),
      ) ||
      Object.entries(loggedChunk.counts).some(
        ([column, counts]) => textOf(chunk.counts[column]) !== textOf(counts),
      )
    )
  })?.first
}

const textOf = (counts: Readonly<Record<string, number>> = {}) =>
  JSON.stringify(Object.entries(counts).sort())
