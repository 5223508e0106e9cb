import { lstat, stat } from 'node:fs/promises'
import { sentenceOf } from '../../base/errors.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { logFolder } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Check } from './check.ts'
import { checkOf } from './file-kinds.ts'
import { type Finding, fault, isFault, note } from './finding.ts'
import { checkFolders, checkLogless, checkMissing } from './folder-checks.ts'
import { checkLostKeys } from './key-checks.ts'
import { findLeftovers } from './leftovers.ts'
import { checkManifests, missingDays } from './manifest-checks.ts'
import { repairs } from './repairs.ts'
import { RowBatches } from './row-batches.ts'
import { SharedReader } from './shared-reader.ts'
import { derivedFiles, isInside, type Stock, type Target, takeStock } from './stock.ts'
import { checkDoubledRows, checkTable } from './table-checks.ts'
import type { FoundFile } from './walk.ts'

/** What a whole run found. */
export interface Report {
  readonly lake: string
  /** Id of the snapshot of all tables whose logs can be read. */
  readonly snapshot: string
  /** Whether there is no fault; notes may be there. */
  readonly isSound: boolean
  readonly findings: readonly Finding[]
  /** Files that were read, and their bytes. */
  readonly files: number
  readonly bytes: number
  readonly seconds: number
}

type OnProgress = (bytes: number, of: number) => void

/** Files whose bytes are read at the same time. */
const FILES_AT_ONCE = 4

/** Verifies a lake, and single files of it once more. */
export class Verifier {
  readonly #target: Target
  readonly #reader: SharedReader
  #stock: Stock | undefined

  constructor(target: Target) {
    this.#target = target
    this.#reader = new SharedReader(target.openReader)
  }

  /** Checks everything. What is wrong is a finding, and the rest goes on. */
  async verify(onProgress: OnProgress = () => {}): Promise<Report> {
    const started = performance.now()
    const stock = await takeStock(this.#target)
    this.#stock = stock
    const { lake } = this.#target
    const byPath = new Map([...(await this.#checkFiles(stock, onProgress)), ...(await checkFolders(stock))])
    const hasFault = (path: string) => byPath.get(path)?.some(isFault) === true
    const isSound = ({ path }: DataFile) => byPath.has(path) && !hasFault(path)
    const findings = [
      ...[...byPath.values()].flat(),
      ...(await checkMissing(stock, byPath)),
      ...stock.tables.flatMap((table) =>
        checkTable(table, stock.tell, !someBelow(byPath, logFolder(table.folder))),
      ),
      ...checkLogless(stock),
      ...(await this.#checkRows(stock, isSound)),
      ...(await this.#compareDerived(stock, hasFault, isSound)),
      ...(await checkLostKeys(this.#target, stock.tell)),
      ...(await findLeftovers(this.#target, stock.tell)),
    ]
    const told = findings.map((finding) => withLake(finding, lake)).sort(byLevel)
    return {
      ...{ lake, snapshot: stock.at.id, isSound: !told.some(isFault), findings: told },
      ...{ files: stock.files.length, bytes: sizeOf(stock.files) },
      seconds: (performance.now() - started) / 1000,
    }
  }

  /** Checks single files once more, against what the last whole run read of the logs; what else depends on them is not looked at. */
  async again(paths: readonly string[]): Promise<readonly Finding[]> {
    this.#stock ??= await takeStock(this.#target)
    const known = this.#stock
    const isDerived = paths.some((path) => known.derived.has(path))
    const stock = isDerived ? { ...known, derived: await derivedFiles(this.#target, known.at) } : known
    const found: Finding[] = []
    const batches = new RowBatches(this.#reader)
    for (const path of paths) {
      const check = checkOf(stock, path)
      const own = await this.#checkFile(path, check, stock)
      found.push(...own)
      if (own.some(isFault)) continue
      if (stock.derived.has(path)) found.push(...(await this.#contentOf(check)))
      if (check.rows !== undefined) batches.add(check.rows, (more) => found.push(...more))
    }
    await batches.end()
    return found.map((finding) => withLake(finding, this.#target.lake))
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #checkFiles(stock: Stock, onProgress: OnProgress): Promise<Map<string, readonly Finding[]>> {
    const byPath = new Map<string, readonly Finding[]>()
    const total = sizeOf(stock.files)
    let done = 0
    const left = stock.files.values()
    const batches = new RowBatches(this.#reader)
    const work = async () => {
      for (const { path, bytes } of left) {
        const check = checkOf(stock, path)
        const found = await this.#checkFile(path, check, stock)
        byPath.set(path, found)
        if (check.rows !== undefined && !found.some(isFault))
          batches.add(check.rows, (more) => byPath.set(path, [...found, ...more]))
        done += bytes
        onProgress(done, total)
      }
    }
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, work))
    await batches.end()
    return byPath
  }

  /** Its bytes; and what it says, unless that is compared with all files of the lake. */
  async #checkFile(path: string, check: Check, stock: Stock): Promise<readonly Finding[]> {
    try {
      // A pipe would be waited for without end.
      if (!(await stat(path)).isFile()) throw new Error('it is no regular file')
      const found = await check.bytes()
      return found.some(isFault) || stock.derived.has(path)
        ? found
        : [...found, ...(await this.#contentOf(check))]
    } catch (error) {
      // What nobody needs may have been removed meanwhile.
      if (!check.isNeeded && (await isGone(path))) return []
      const file = stock.tell(path)
      return [
        fault({
          kind: 'data file',
          file,
          what: `It cannot be read: ${sentenceOf(error)}.`,
          repair: repairs.fromCopy,
        }),
      ]
    }
  }

  async #contentOf({ content }: Check): Promise<readonly Finding[]> {
    return content === undefined ? [] : await this.#reader.use((reader) => content(reader))
  }

  async #checkRows(stock: Stock, isSound: (file: DataFile) => boolean): Promise<readonly Finding[]> {
    const found: Finding[] = [...missingDays(stock.at)]
    const tables = stock.at.tables.filter(({ files }) => files.length > 0)
    for (const table of tables.filter(({ resource }) => resource.statistics === undefined))
      if (table.files.length > 1)
        found.push(
          ...(await this.#compare('source', table.resource.name, (reader) =>
            checkDoubledRows(table, isSound, table.resource.name, reader),
          )),
        )
    const areRead = stock.tables.every(({ name, at }) => name !== rewardManifests.name || at !== undefined)
    if (tables.length > 0 && areRead)
      found.push(
        ...(await this.#compare('manifest', rewardManifests.name, (reader) =>
          checkManifests(stock.at, isSound, reader),
        )),
      )
    return found
  }

  /** A comparison over many files; when it fails, that is a fault, since nobody knows what it would have found. */
  async #compare(
    kind: Finding['kind'],
    file: string,
    work: (reader: ContentReader) => Promise<readonly Finding[]>,
  ): Promise<readonly Finding[]> {
    try {
      return await this.#reader.use(work)
    } catch (error) {
      const what = `Its rows could not be compared with those of other files: ${sentenceOf(error).split('\n')[0]}`
      return [fault({ kind, file, what, repair: 'ledgerlake verify, once what it names is mended' })]
    }
  }

  /** What is derived is held against the lake, which has to be sound for that. */
  async #compareDerived(
    stock: Stock,
    hasFault: (path: string) => boolean,
    isSound: (file: DataFile) => boolean,
  ): Promise<readonly Finding[]> {
    const { derived, at, tell, target } = stock
    const own = [...derived.keys()].filter((path) => !hasFault(path))
    if (own.length === 0) return []
    if (at.tables.some(({ files }) => !files.every(isSound))) {
      const what = 'What is derived was not compared with the lake, of which files are damaged or missing.'
      return [note({ kind: 'derived', file: tell(target.state), what, repair: 'repair the lake first' })]
    }
    const found: Finding[] = []
    for (const path of own) found.push(...(await this.#contentOf(checkOf(stock, path))))
    return found
  }
}

const isGone = (path: string) =>
  lstat(path).then(
    () => false,
    () => true,
  )

function someBelow(byPath: ReadonlyMap<string, readonly Finding[]>, folder: string): boolean {
  return [...byPath].some(
    ([path, own]) =>
      isInside(folder, path) && own.some(({ kind }) => kind === 'log entry' || kind === 'folder'),
  )
}

const sizeOf = (files: readonly FoundFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Commands name the lake that they are for. */
function withLake(finding: Finding, lake: string): Finding {
  return {
    ...finding,
    repair: finding.repair.replace(/ledgerlake (verify|vacuum|ingest)/g, `ledgerlake $1 --lake ${lake}`),
  }
}

function byLevel(a: Finding, b: Finding): number {
  return a.level === b.level ? 0 : isFault(a) ? -1 : 1
}
