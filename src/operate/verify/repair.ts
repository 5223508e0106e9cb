import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { replaceFile } from '../../lake/disk/disk.ts'
import {
  checkpointPath,
  lastCheckpointPath,
  logFolder,
  snapshotPath,
  versionOfFile,
} from '../../lake/disk/layout.ts'
import { checkpointIfDue, pointerTo } from '../../lake/log/checkpoint.ts'
import { checkpointVersions, readCheckpoint } from '../../lake/log/read-checkpoint.ts'
import { rebuildFiles } from '../../write/ingest/rebuild.ts'
import type { IngestWriter } from '../../write/ports/ingest-writer.ts'
import { type Store, type StoreRequest, withStore } from '../../write/store/store.ts'
import { copiesIn, restoreData, restoreEntry, restoreLog } from './copies.ts'
import { type Finding, isFault, listed } from './finding.ts'
import { type Inventory, type Target, takeInventory } from './inventory.ts'
import { readTable } from './table-view.ts'
import { Verifier } from './verify.ts'

export interface RepairRequest {
  readonly target: Target
  /** Findings of a complete run. */
  readonly findings: readonly Finding[]
  /** Files and folders of source files. */
  readonly paths: readonly string[]
  /** A backup, a folder of backups, or another copy of the lake. */
  readonly from: string | undefined
  readonly openWriter: StoreRequest<IngestWriter>['openWriter']
  /** Called with a sentence for each repair and each failure. */
  readonly onStep: (sentence: string) => void
}

/**
 * Repairs findings: restores log entries and data files from copies with the same digest, rewrites data files from
 * their sources, and rebuilds checkpoints and indexes. Verify again to see the rest.
 * Errors: `lake_unwritable`; those of folders that cannot be read.
 */
export async function repair(request: RepairRequest): Promise<void> {
  const { target, findings, openWriter } = request
  const faults = findings.filter(isFault)
  const pathOf = ({ file }: Finding) => (file.startsWith('/') ? file : join(target.lake, file))
  const of = (...kinds: readonly Finding['kind'][]) =>
    faults.filter(({ kind }) => kinds.includes(kind)).map(pathOf)
  await withStore({ lake: target.lake, openWriter }, async (store) => {
    await fromCopies(store, request, of('log entry'), of('data file', 'rows'))
    await fromSources(store, request)
    const notes = findings.filter(({ kind }) => kind === 'checkpoint').map(pathOf)
    await renewCheckpoints(store, await takeInventory(target), notes, request)
  })
  await renewDerived(request, of('derived'))
}

async function fromCopies(
  { run }: Store,
  { target, from, onStep }: RepairRequest,
  entries: readonly string[],
  data: readonly string[],
): Promise<void> {
  if (from === undefined) return
  const { tables, withoutLog } = await takeInventory(target)
  const copies = await copiesIn(from, [...tables.map(({ name }) => name), ...withoutLog])
  if (entries.length + data.length + withoutLog.length === 0) return
  if (copies.length === 0)
    return onStep(`${from} is not a lake and has no backups; use a lake, a folder of backups or one backup`)
  const source = { copies, scratch: run.folder }
  const reportCopy = (path: string, reasons: readonly string[]) =>
    onStep(
      reasons.length === 0
        ? `copied ${path} from ${from}`
        : `${from} has no sound ${path} of the same log: ${listed(reasons)}`,
    )
  for (const name of withoutLog) {
    const folder = join(target.lake, name)
    await reportFailure(folder, onStep, async () =>
      reportCopy(logFolder(folder), await restoreLog(target.lake, name, source)),
    )
  }
  // Newest first: a restored entry proves that earlier entries belong to the same log.
  for (const path of [...entries].sort().reverse())
    await reportFailure(path, onStep, async () => {
      const folder = dirname(dirname(path))
      const version = versionOfFile(basename(path), 'entry')
      if (version === undefined || dirname(folder) !== join(target.lake)) return
      const table = await readTable(target.lake, basename(folder))
      reportCopy(path, await restoreEntry(table, version, source))
    })
  const repaired = (await takeInventory(target)).tables
  for (const path of data)
    await reportFailure(path, onStep, async () => {
      const table = repaired.find(({ folder }) => path.startsWith(join(folder, '/')))
      const named = table?.named.get(relative(table.folder, path))
      if (table === undefined || named?.sha256 === undefined) return
      const isDone = await restoreData(table, relative(table.folder, path), named, source)
      onStep(isDone ? `copied ${path} from ${from}` : `${from} has no file with the digest of ${path}`)
    })
}

/** Reports a failure and continues with the rest. */
async function reportFailure(
  path: string,
  onStep: RepairRequest['onStep'],
  work: () => Promise<void>,
): Promise<void> {
  await work().catch((error) => onStep(`${path} could not be repaired: ${sentenceOf(error)}`))
}

/** Checks the damaged files again first, because a copy may have repaired them. */
async function fromSources(store: Store<IngestWriter>, request: RepairRequest): Promise<void> {
  const { target, findings, paths, onStep } = request
  if (paths.length === 0) return
  const verifier = new Verifier(target)
  const named = findings.filter(({ kind }) => kind === 'data file' || kind === 'rows')
  const damaged = new Set<string>()
  for (const { file } of named) {
    const path = join(target.lake, file)
    if ((await verifier.again([path])).some(isFault)) damaged.add(path)
  }
  await verifier.close()
  for (const { files, sources, refusal, warning } of await rebuildFiles(store, damaged, paths)) {
    const what = files.join(', ')
    onStep(
      refusal === undefined
        ? `wrote ${what} anew from ${sources.join(', ')}`
        : `${what} is as it was: ${refusal}`,
    )
    if (warning !== undefined) onStep(warning)
  }
}

/** Removes checkpoints that are damaged or lack a checksum, and writes one for the newest version. */
async function renewCheckpoints(
  { lake, writer, run }: Store<IngestWriter>,
  { tables }: Inventory,
  paths: readonly string[],
  { onStep }: RepairRequest,
): Promise<void> {
  for (const { folder, resource, at, isWhole } of tables) {
    const ofTable = paths.filter((path) => dirname(path) === logFolder(folder))
    if (ofTable.length === 0 || at === undefined || resource === undefined) continue
    if (!isWhole) {
      // Only the checkpoint names the live files if an earlier entry is damaged.
      onStep(`the checkpoints of ${folder} stay as they are until its log entries are repaired`)
      continue
    }
    await reportFailure(logFolder(folder), onStep, async () => {
      for (const path of ofTable) {
        const name = basename(path)
        const version = versionOfFile(name, 'snapshot') ?? versionOfFile(name, 'checkpoint')
        if (version === undefined) continue
        for (const file of [snapshotPath(folder, version), checkpointPath(folder, version)])
          await rm(file, { force: true })
      }
      await checkpointIfDue(lake, resource, writer, run.folder, true)
      await renewPointer(folder, run.folder)
      onStep(`wrote the checkpoint of ${folder} anew`)
    })
  }
}

async function renewPointer(folder: string, scratch: string): Promise<void> {
  const path = lastCheckpointPath(folder)
  const [newest = -1] = await checkpointVersions(folder)
  const checkpoint = await readCheckpoint(snapshotPath(folder, newest)).catch(() => undefined)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (checkpoint === undefined) await rm(path, { force: true })
  else if (text !== pointerTo(checkpoint.log))
    await replaceFile(path, pointerTo(checkpoint.log), join(scratch, 'pointer'))
}

async function renewDerived({ target, onStep }: RepairRequest, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const { derived, at } = await takeInventory(target)
  for (const path of paths)
    await reportFailure(path, onStep, async () => {
      await derived.get(path)?.remove()
      onStep(`removed ${path}, which is built anew`)
    })
  for (const derivation of target.derived)
    await reportFailure(derivation.name, onStep, () => derivation.build(at, { onProgress: onStep }))
}
