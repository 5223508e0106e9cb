import { rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { rejects } from '../../catalog/lake/rejects.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { tableFolder } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { addSource, type SourceInFile, sourceKey } from '../../lake/facts/source.ts'
import { checkpointIfDue } from '../../lake/log/checkpoint.ts'
import type { IngestWriter } from '../../lake/ports/ingest-writer.ts'
import { readNewestTable } from '../../lake/snapshot/snapshot.ts'
import { amendTable, type StagedFile } from '../store/amend-table.ts'
import { stageParts } from '../store/stage-files.ts'
import type { Store } from '../store/store.ts'
import type { DecodedArtifact } from './decode/decode-artifact.ts'
import { intakeOf } from './decode/intake.ts'
import { type Artifact, kindOf, listArtifacts } from './files/artifact.ts'
import { blocksOfPart, fileOfPart } from './files/block-range.ts'

/** Data files that were written anew, or why they were not. */
export interface Rebuilt {
  readonly files: readonly string[]
  readonly sources: readonly string[]
  /** Undefined when it is done. */
  readonly refusal: string | undefined
  /** What failed after it was done, in sentences. */
  readonly warning?: string
}

/** Whatever was refused then is refused now. */
const ANY_REJECTS = 1_000_000_000

/**
 * Writes damaged live data files anew: all their sources are decoded again, from files below `paths`, and have to be what
 * the log says of them, row for row of the counts and to the last unit of the sums. Rows of sound files that share a source
 * are written with them. What is damaged is removed after its commit.
 * What fails at one table is the refusal of its files, and the others are written.
 */
export async function rebuildFiles(
  store: Store<IngestWriter>,
  damaged: ReadonlySet<string>,
  paths: readonly string[],
): Promise<readonly Rebuilt[]> {
  const done: Rebuilt[] = []
  for (const resource of resources) {
    const folder = join(tableFolder(store.lake, resource), '/')
    const own = [...damaged].filter((path) => path.startsWith(folder))
    if (own.length === 0) continue
    try {
      const { files } = await readNewestTable(store.lake, resource)
      for (const part of partsOf(resource, files))
        done.push(...(await rebuildPart(store, resource, part, damaged, paths)))
    } catch (error) {
      done.push({ files: own, sources: [], refusal: sentenceOf(error) })
    }
  }
  return done
}

/** Files that may have rows of the same sources: those of a partition; a state table as a whole. */
function partsOf({ holds }: Resource, files: readonly DataFile[]): readonly (readonly DataFile[])[] {
  if (holds === 'state') return [files]
  const partitions = new Set(files.map(({ partition }) => partition))
  return [...partitions].map((own) => files.filter(({ partition }) => partition === own))
}

async function rebuildPart(
  store: Store<IngestWriter>,
  resource: Resource,
  part: readonly DataFile[],
  damaged: ReadonlySet<string>,
  paths: readonly string[],
): Promise<readonly Rebuilt[]> {
  const lostOf = (files: readonly DataFile[]) => files.filter(({ path }) => damaged.has(path))
  if (lostOf(part).length === 0) return []
  const done: Rebuilt[] = []
  try {
    for (const group of resource.holds === 'state' ? [part] : linkedFiles(part)) {
      const lost = lostOf(group)
      if (lost.length > 0) done.push(await rebuild(store, resource, group, lost, paths))
    }
    return done
  } catch (error) {
    // Without the facts of a file it is not known which others have rows of its sources.
    return [{ files: lostOf(part).map(({ path }) => path), sources: [], refusal: sentenceOf(error) }]
  }
}

/** Files of a partition in groups that have rows of the same sources. Errors: `lake_damaged` for facts that cannot be read. */
function linkedFiles(files: readonly DataFile[]): readonly (readonly DataFile[])[] {
  const groups: DataFile[][] = []
  for (const file of files) {
    const keys = new Set(file.sources.map(sourceKey))
    const linked = groups.filter((group) =>
      group.some(({ sources }) => sources.some((source) => keys.has(sourceKey(source)))),
    )
    for (const group of linked) groups.splice(groups.indexOf(group), 1)
    groups.push([...linked.flat(), file])
  }
  return groups
}

async function rebuild(
  store: Store<IngestWriter>,
  resource: Resource,
  group: readonly DataFile[],
  lost: readonly DataFile[],
  paths: readonly string[],
): Promise<Rebuilt> {
  const sources = gather(group)
  const told = { files: lost.map(({ path }) => path), sources: sources.map(({ name }) => name) }
  const refuse = (refusal: string): Rebuilt => ({ ...told, refusal })
  if (resource === rejects) return refuse('rejected messages are not in any file as they were stored')
  try {
    const found = await findArtifacts(resource, sources, paths)
    const missing = sources.filter((source) => !found.has(sourceKey(source)))
    if (missing.length > 0)
      return refuse(
        `these files are needed too, with the bytes that were ingested: ${missing.map(({ name }) => name).join(', ')}`,
      )
    const staged = await decodeAgain(store, resource, group, sources, found)
    const stale = new Set(group.map(({ path }) => path))
    const label = { operation: 'REPAIR', runId: store.run.id }
    await amendTable(
      store.lake,
      resource,
      label,
      async (table) => {
        const live = table.files.filter(({ path }) => stale.has(path))
        if (live.length < group.length)
          throw new Error('another commit changed these files meanwhile; verify again')
        return { stale: live, staged, dataChange: false }
      },
      store.remote,
    )
  } catch (error) {
    return refuse(sentenceOf(error))
  }
  const warnings = await tidyUp(store, resource, lost)
  return { ...told, refusal: undefined, ...(warnings.length > 0 && { warning: warnings.join('\n') }) }
}

/** What a commit brings with it: it is made, whatever fails here. Gives what did. */
async function tidyUp(
  { lake, writer, run }: Store<IngestWriter>,
  resource: Resource,
  lost: readonly DataFile[],
): Promise<readonly string[]> {
  const warnings: string[] = []
  const warn = (what: string) => (error: unknown) => warnings.push(`${what}: ${sentenceOf(error)}`)
  // One whose bytes are sound after all serves older snapshots.
  for (const { path, sha256 } of lost)
    if ((await hashFile(path).catch(() => undefined)) !== sha256)
      await rm(path, { force: true }).catch(warn(`${path}, which is damaged, could not be removed`))
  const folder = tableFolder(lake, resource)
  await checkpointIfDue(lake, resource, writer, run.folder).catch(warn(`${folder} got no checkpoint`))
  return warnings
}

/** Each source once, in the order in which they came, with what the log says of it over all files. */
function gather(files: readonly DataFile[]): readonly SourceInFile[] {
  const sources = new Map<string, SourceInFile>()
  for (const source of files.flatMap((file) => file.sources)) {
    const known = sources.get(sourceKey(source))
    sources.set(sourceKey(source), known === undefined ? source : addSource(known, source))
  }
  return [...sources.values()]
}

/** Files of the names and bytes of sources, by the keys of these. */
async function findArtifacts(
  resource: Resource,
  sources: readonly SourceInFile[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, Artifact>> {
  const { artifacts } = await listArtifacts(paths, [kindOf(resource)])
  const found = new Map<string, Artifact>()
  for (const source of sources)
    for (const artifact of artifacts.filter(({ name }) => name === fileOfPart(source.name)))
      if ((await hashFile(artifact.path)) === source.sha256)
        found.set(sourceKey(source), { ...artifact, name: source.name })
  return found
}

/** Staged files that hold what the log says; what they hold is read back and compared with it. */
async function decodeAgain(
  store: Store<IngestWriter>,
  resource: Resource,
  group: readonly DataFile[],
  sources: readonly SourceInFile[],
  artifacts: ReadonlyMap<string, Artifact>,
): Promise<readonly StagedFile[]> {
  const { stage, decode } = await intakeOf(kindOf(resource), {}).open(store.writer)
  try {
    const decoded: DecodedArtifact[] = []
    for (const [index, source] of sources.entries()) {
      const artifact = artifacts.get(sourceKey(source))
      if (artifact === undefined) continue
      const own = await decode(artifact, index, { maxRejects: ANY_REJECTS }, blocksOfPart(source.name))
      if (sourceKey(own.source) !== sourceKey(source) || own.source.sha256 !== source.sha256)
        throw new Error(`${artifact.path} is not the ${source.kind} that was ingested`)
      decoded.push(own)
    }
    const partition = group[0]?.partition ?? null
    const names = new Map(decoded.map(({ index, source }) => [index, source.name]))
    const path = await store.run.newDataFile(resource, partition)
    await stage.write(path, names, partition)
    if (resource.holds !== 'state') return await stageParts(store, resource, { path, partition, sources })
    const whole = await store.run.newDataFile(resource, null)
    const order = [...names.values()]
    await store.writer.upsert(resource, {
      files: [],
      without: order,
      arriving: path,
      sources: order,
      to: whole,
    })
    await unlink(path)
    return await stageParts(store, resource, { path: whole, partition, sources })
  } finally {
    await stage.drop()
  }
}
