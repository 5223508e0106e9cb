import { lstat, stat } from 'node:fs/promises'
import { sentenceOf } from '../../base/errors.ts'
import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { isInside } from '../../lake/disk/disk.ts'
import { logFolder } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Check } from './check.ts'
import { findCheck } from './file-kinds.ts'
import type { WalkedFile } from './files-below.ts'
import { type Finding, fault, isFault, note, repairs } from './finding.ts'
import { checkFolders, checkLogless, checkMissing } from './folder-checks.ts'
import { derivedFiles, type Inventory, type Target, takeInventory } from './inventory.ts'
import { checkLostKeys } from './key-checks.ts'
import { findLeftovers } from './leftovers.ts'
import { checkManifests, missingDays } from './manifest-checks.ts'
import { RowBatches } from './row-batches.ts'
import { SharedReader } from './shared-reader.ts'
import { checkDoubledRows, checkTable } from './table-checks.ts'

/** Result of a complete run. */
export interface Report {
  readonly lake: string
  /** Id of the snapshot of all tables whose logs can be read. */
  readonly snapshot: string
  /** True without faults; notes are allowed. */
  readonly isSound: boolean
  readonly findings: readonly Finding[]
  /** Number of files and bytes that were read. */
  readonly files: number
  readonly bytes: number
  readonly seconds: number
}

type OnProgress = (bytes: number, of: number) => void

/** Number of files read concurrently. */
const FILES_AT_ONCE = 4

/** Verifies a lake, or single files again. */
export class Verifier {
  readonly #target: Target
  readonly #reader: SharedReader
  #inventory: Inventory | undefined

  constructor(target: Target) {
    this.#target = target
    this.#reader = new SharedReader(target.openReader)
  }

  /** Checks everything. A fault becomes a finding, and the run continues. */
  async verify(onProgress: OnProgress = () => {}): Promise<Report> {
    const started = performance.now()
    const inventory = await takeInventory(this.#target)
    this.#inventory = inventory
    const { displayPath } = inventory
    const { lake } = this.#target
    const byPath = new Map([
      ...(await this.#checkFiles(inventory, onProgress)),
      ...(await checkFolders(inventory)),
    ])
    const hasFault = (path: string) => byPath.get(path)?.some(isFault) === true
    const isSound = ({ path }: DataFile) => byPath.has(path) && !hasFault(path)
    const findings = [
      ...[...byPath.values()].flat(),
      ...(await checkMissing(inventory, byPath)),
      ...inventory.tables.flatMap((table) =>
        checkTable(table, displayPath(table.folder), !someBelow(byPath, logFolder(table.folder))),
      ),
      ...checkLogless(inventory),
      ...(await this.#checkRows(inventory, isSound)),
      ...(await this.#compareDerived(inventory, hasFault, isSound)),
      ...(await checkLostKeys(this.#target, displayPath(this.#target.keyFile))),
      ...(await findLeftovers(this.#target, displayPath)),
    ]
    const reported = findings.map((finding) => withLake(finding, lake)).sort(byLevel)
    return {
      ...{ lake, snapshot: inventory.at.id, isSound: !reported.some(isFault), findings: reported },
      ...{ files: inventory.files.length, bytes: sizeOf(inventory.files) },
      seconds: (performance.now() - started) / 1000,
    }
  }

  /** Checks single files again, against the logs of the last complete run. Does not check files that depend on them. */
  async again(paths: readonly string[]): Promise<readonly Finding[]> {
    this.#inventory ??= await takeInventory(this.#target)
    const latest = this.#inventory
    const isDerived = paths.some((path) => latest.derived.has(path))
    const inventory = isDerived ? { ...latest, derived: await derivedFiles(this.#target, latest.at) } : latest
    const findings: Finding[] = []
    const batches = new RowBatches(this.#reader)
    for (const path of paths) {
      const check = findCheck(inventory, path)
      const ofFile = await this.#checkFile(path, check, inventory)
      findings.push(...ofFile)
      if (ofFile.some(isFault)) continue
      if (inventory.derived.has(path)) findings.push(...(await this.#contentOf(check)))
      if (check.rows !== undefined) batches.add(check.rows, (more) => findings.push(...more))
    }
    await batches.end()
    return findings.map((finding) => withLake(finding, this.#target.lake))
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #checkFiles(inventory: Inventory, onProgress: OnProgress): Promise<Map<string, readonly Finding[]>> {
    const byPath = new Map<string, readonly Finding[]>()
    const total = sizeOf(inventory.files)
    let done = 0
    const batches = new RowBatches(this.#reader)
    await forEachConcurrent(inventory.files, FILES_AT_ONCE, async ({ path, bytes }) => {
      const check = findCheck(inventory, path)
      const findings = await this.#checkFile(path, check, inventory)
      byPath.set(path, findings)
      if (check.rows !== undefined && !findings.some(isFault))
        batches.add(check.rows, (more) => byPath.set(path, [...findings, ...more]))
      done += bytes
      onProgress(done, total)
    })
    await batches.end()
    return byPath
  }

  /** Checks the bytes and content of a file. The content of derived files is compared later. */
  async #checkFile(path: string, check: Check, inventory: Inventory): Promise<readonly Finding[]> {
    try {
      // Reading a pipe would never end.
      if (!(await stat(path)).isFile()) throw new Error('it is not a regular file')
      const findings = await check.bytes()
      return findings.some(isFault) || inventory.derived.has(path)
        ? findings
        : [...findings, ...(await this.#contentOf(check))]
    } catch (error) {
      // A file that nothing names may have been removed meanwhile.
      if (!check.isNeeded && (await isGone(path))) return []
      const what = `It cannot be read: ${sentenceOf(error)}.`
      return [fault('data file', inventory.displayPath(path), what, repairs.fromCopy)]
    }
  }

  async #contentOf({ content }: Check): Promise<readonly Finding[]> {
    return content === undefined ? [] : await this.#reader.use((reader) => content(reader))
  }

  async #checkRows(inventory: Inventory, isSound: (file: DataFile) => boolean): Promise<readonly Finding[]> {
    const { at } = inventory
    const findings: Finding[] = [...missingDays(at)]
    const tables = at.tables.filter(({ files }) => files.length > 0)
    for (const table of tables) {
      const { name, statistics } = table.resource
      if (statistics === undefined && table.files.length > 1)
        findings.push(
          ...(await this.#compare('source', name, (reader) => checkDoubledRows(table, isSound, reader))),
        )
    }
    const { name } = rewardManifests
    const areRead = inventory.tables.every((table) => table.name !== name || table.at !== undefined)
    if (tables.length > 0 && areRead)
      findings.push(
        ...(await this.#compare('manifest', name, (reader) => checkManifests(at, isSound, reader))),
      )
    return findings
  }

  /** Compares many files. A failure is a fault, because the result is unknown. */
  async #compare(
    kind: Finding['kind'],
    file: string,
    work: (reader: ContentReader) => Promise<readonly Finding[]>,
  ): Promise<readonly Finding[]> {
    try {
      return await this.#reader.use(work)
    } catch (error) {
      const what = `Its rows could not be compared with those of other files: ${sentenceOf(error).split('\n')[0]}`
      return [fault(kind, file, what, 'ledgerlake verify, once what it names is mended')]
    }
  }

  /** Compares derived files with the lake, if the lake is sound. */
  async #compareDerived(
    inventory: Inventory,
    hasFault: (path: string) => boolean,
    isSound: (file: DataFile) => boolean,
  ): Promise<readonly Finding[]> {
    const { derived, at, displayPath, target } = inventory
    const derivedPaths = [...derived.keys()].filter((path) => !hasFault(path))
    if (derivedPaths.length === 0) return []
    if (at.tables.some(({ files }) => !files.every(isSound))) {
      const what = 'Indexes were not compared with the lake, because files of it are damaged or missing.'
      return [note('derived', displayPath(target.state), what, 'repair the lake first')]
    }
    const findings: Finding[] = []
    for (const path of derivedPaths) findings.push(...(await this.#contentOf(findCheck(inventory, path))))
    return findings
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

const sizeOf = (files: readonly WalkedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Adds the lake to the commands of a finding. */
function withLake(finding: Finding, lake: string): Finding {
  return {
    ...finding,
    repair: finding.repair.replace(/ledgerlake (verify|vacuum|ingest)/g, `ledgerlake $1 --lake ${lake}`),
  }
}

function byLevel(a: Finding, b: Finding): number {
  return a.level === b.level ? 0 : isFault(a) ? -1 : 1
}
