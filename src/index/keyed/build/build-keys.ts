import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runInSlices } from '../../../base/slices.ts'
import { compareGroups, type GroupKey } from '../../../lake/facts/group-series.ts'
import type { FileRowsReader } from '../../../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../../../lake/ports/open-writer.ts'
import { removeAbandoned } from '../../../lake/runs/run-folder.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../../blocks/block-cache.ts'
import type { BlockFile } from '../../blocks/block-file.ts'
import { DamagedFile } from '../../blocks/container.ts'
import { keyPaths, keysFolder, olderKeysFolders, tableKeysFolder } from '../../folder.ts'
import type { BuildOptions } from '../../maintenance/derived.ts'
import { withScratchWriter } from '../../maintenance/with-scratch-writer.ts'
import { openIfIntact } from '../../open-files.ts'
import { groupText, keyedColumns } from '../contents.ts'
import { type Cover, coverOf, isExact, sourcesOf } from '../cover.ts'
import { openKeyFile } from '../key-file.ts'
import { gatherRows } from './gather-rows.ts'
import { KeyFileWriter } from './key-file-writer.ts'
import { openLists } from './open-lists.ts'
import { type Survey, surveyRows } from './survey-rows.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<FileRowsReader>
}

/** A file has no more rows, of many columns fewer, so that sorting them takes a bounded time and memory. */
const MOST_ROWS = 8_000_000
const MOST_VALUES = 200_000_000

/** Values in memory at a time, of 8 bytes each. */
const MOST_GATHERED = 32_000_000

/** A file is written anew together with others that have a quarter of its rows or more: so few are left, and each row is rarely written again. */
const GROWTH = 4

/**
 * Builds the indexes by key that some tables lack, and removes what killed builders left. Each appears whole or not at all, and tables that cannot
 * be read leave those that can. Errors: Error when the folder cannot be written; the first of those of the reader.
 */
export async function buildKeyIndexes(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  for (const name of olderKeysFolders)
    await rm(join(request.stateFolder, name), { recursive: true, force: true }).catch(() => {})
  const building = join(keysFolder(request.stateFolder), 'building')
  if (tables.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (reader, scratch) => {
    const errors: unknown[] = []
    for (const table of tables) {
      request.signal?.throwIfAborted()
      await buildTable(table, reader, scratch, request).catch((error) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  })
}

async function buildTable(
  table: TableSnapshot,
  reader: FileRowsReader,
  scratch: string,
  { stateFolder, onProgress, signal }: BuildRequest,
): Promise<void> {
  const { resource } = table
  const folder = tableKeysFolder(stateFolder, table)
  await mkdir(folder, { recursive: true })
  for (const names of stepsOf(table, await coverIn(folder, table))) {
    signal?.throwIfAborted()
    onProgress?.(`gathering the hotspots of ${resource.name}`)
    const path = join(scratch, resource.name)
    const listsOf = (files: TableSnapshot['files']) =>
      openLists(resource, files, stateFolder, scratch, reader)
    const write = () => writeSources(path, table, names, listsOf, signal)
    await rename(path, join(folder, await withoutDamaged(write)))
  }
  const used = (await coverIn(folder, table)).coverings.map(({ file }) => file.path)
  // Readers of the others have them open.
  for (const path of await keyPaths(folder)) if (!used.includes(path)) await rm(path, { force: true })
}

/** Tries again without a list that turns out to be damaged; it is made anew then. */
async function withoutDamaged<T>(build: () => Promise<T>): Promise<T> {
  const removed = new Set<string>()
  for (;;) {
    try {
      return await build()
    } catch (error) {
      if (!(error instanceof DamagedFile) || removed.has(error.path)) throw error
      removed.add(error.path)
      await rm(error.path, { force: true })
    }
  }
}

/** The cover of a table by the files of a folder, which are closed again. */
async function coverIn(folder: string, table: TableSnapshot): Promise<Cover> {
  const cache = new BlockCache(0)
  const files = (await keyPaths(folder)).flatMap(
    (path) => openIfIntact(() => openKeyFile(path, table.resource, cache)) ?? [],
  )
  const cover = coverOf(table, files)
  for (const file of files) file.close()
  return cover
}

/** Names of the sources of each file that has to be written: those that are missing, of files that have rows of others too, and of small files. */
function stepsOf(table: TableSnapshot, cover: Cover): readonly ReadonlySet<string>[] {
  if (isExact(cover)) return []
  const { coverings, missing } = cover
  const most = Math.min(MOST_ROWS, MOST_VALUES / keyedColumns(table.resource).length)
  const rowsOf = (name: string) => table.sourcesNamed(name).reduce((sum, { rows }) => sum + rows, 0)
  const rowsOfAll = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + rowsOf(name), 0)
  const chosen = new Set(missing)
  let rows = rowsOfAll(missing)
  const smallestFirst = coverings.toReversed()
  const sorted = [
    ...smallestFirst.filter(({ isWhole }) => !isWhole),
    ...smallestFirst.filter(({ isWhole }) => isWhole),
  ]
  for (const { file, isOf, isWhole } of sorted) {
    const { groups } = file.contents
    const names = new Set(groups.flatMap(({ source }, number) => (isOf[number] === 1 ? [source] : [])))
    const more = rowsOfAll(names)
    if (isWhole && (more > GROWTH * rows || rows + more > most)) break
    for (const name of names) chosen.add(name)
    rows += more
  }
  const steps: Set<string>[] = []
  let inStep = Number.POSITIVE_INFINITY
  for (const name of sourcesOf(table).keys()) {
    if (!chosen.has(name)) continue
    const ofSource = rowsOf(name)
    if (inStep + ofSource > most) {
      steps.push(new Set())
      inStep = 0
    }
    steps.at(-1)?.add(name)
    inStep += ofSource
  }
  return steps
}

/** Returns the name that the file should have. */
async function writeSources(
  path: string,
  table: TableSnapshot,
  names: ReadonlySet<string>,
  listsOf: (files: TableSnapshot['files']) => Promise<readonly BlockFile[]>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { resource, files } = table
  const holding = files.filter(({ sources }) => sources.some(({ name }) => names.has(name)))
  const groups = groupsOf(holding, names)
  const lists = await listsOf(holding)
  try {
    const survey = await runInSlices(surveyRows(resource, lists, groups), signal)
    const writer = await KeyFileWriter.create(path, resource, { ...survey, groups })
    try {
      for (const [from, to] of partsOf(survey, writer.stored.length)) {
        const gathering = gatherRows(survey, writer.stored, writer.numberText, from, to)
        await writer.append(await runInSlices(gathering, signal), signal)
      }
      const sources = [...sourcesOf(table)].filter(([name]) => names.has(name))
      return await writer.finish(Object.fromEntries(sources))
    } catch (error) {
      await writer.close().catch(() => {})
      throw error
    }
  } finally {
    for (const list of lists) list.close()
  }
}

/** Ranges of keys whose values are in memory at a time. */
function partsOf({ starts }: Survey, columns: number): readonly (readonly [from: number, to: number])[] {
  const mostRows = MOST_GATHERED / Math.max(1, columns)
  const keys = starts.length - 1
  const parts: (readonly [number, number])[] = []
  for (let from = 0, to = 0; from < keys; from = to) {
    const most = (starts[from] as number) + mostRows
    for (to = from + 1; to < keys && (starts[to + 1] as number) <= most; ) to += 1
    parts.push([from, to])
  }
  return parts
}

/** A source that lies in several files has its groups in each of them. */
function groupsOf(files: TableSnapshot['files'], names: ReadonlySet<string>): readonly GroupKey[] {
  const groups = new Map<string, GroupKey>()
  for (const { name: source, groups: ofSource } of files.flatMap((file) => file.sources))
    if (names.has(source))
      for (const { period, type } of ofSource) {
        const group = { period, type, source }
        groups.set(groupText(group), group)
      }
  return [...groups.values()].sort(compareGroups)
}
