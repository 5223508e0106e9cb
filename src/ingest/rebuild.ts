import { rm, unlink } from 'node:fs/promises'
import { rejects } from '../catalog/lake/rejects.ts'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { sentenceOf } from '../errors.ts'
import type { DataFile } from '../lake/data-file.ts'
import { hashFile } from '../lake/disk.ts'
import { readNewestTable } from '../lake/snapshot.ts'
import { addSource, type SourceInFile, sourceKey } from '../lake/source.ts'
import type { StagingWriter } from '../lake/staging-writer.ts'
import type { StateTableWriter } from '../lake/state-table-writer.ts'
import type { StagedFile } from '../store/amend-table.ts'
import { stageParts } from '../store/stage-files.ts'
import { amendIn, type Store } from '../store/store.ts'
import { type Artifact, kindOf, listArtifacts } from './artifact.ts'
import { blocksOfPart, fileOfPart } from './block-range.ts'
import type { DecodedArtifact } from './decode-artifact.ts'
import { intakeOf } from './intake.ts'

type RebuildStore = Store<StagingWriter & StateTableWriter>

/** Data files that were written anew, or why they were not. */
export interface Rebuilt {
  readonly files: readonly string[]
  readonly sources: readonly string[]
  /** Undefined when it is done. */
  readonly refusal: string | undefined
}

/** Whatever was refused then is refused now. */
const ANY_REJECTS = 1_000_000_000

/**
 * Writes damaged live data files anew: all their sources are decoded again, from files below `paths`, and have to be what
 * the log says of them, row for row of the counts and to the last unit of the sums. Rows of sound files that share a source
 * are written with them. What is damaged is removed after its commit.
 * Errors: `lake_damaged` when a log cannot be read; `lake_unwritable`, `commit_conflict`.
 */
export async function rebuildFiles(
  store: RebuildStore,
  damaged: ReadonlySet<string>,
  paths: readonly string[],
): Promise<readonly Rebuilt[]> {
  const done: Rebuilt[] = []
  for (const resource of resources) {
    const { files } = await readNewestTable(store.lake, resource)
    for (const group of linkedFiles(resource, files)) {
      const lost = group.filter(({ path }) => damaged.has(path))
      if (lost.length > 0) done.push(await rebuild(store, resource, group, lost, paths))
    }
  }
  return done
}

/** Files of a partition with the files that have rows of the same sources; a state table as a whole. */
function linkedFiles(resource: Resource, files: readonly DataFile[]): readonly (readonly DataFile[])[] {
  if (resource.holds === 'state') return [files]
  const groups: DataFile[][] = []
  for (const file of files) {
    const keys = new Set(file.sources.map(sourceKey))
    const linked = groups.filter(
      ([first, ...others]) =>
        first?.partition === file.partition &&
        [first, ...others].some(({ sources }) => sources.some((source) => keys.has(sourceKey(source)))),
    )
    for (const group of linked) groups.splice(groups.indexOf(group), 1)
    groups.push([...linked.flat(), file])
  }
  return groups
}

async function rebuild(
  store: RebuildStore,
  resource: Resource,
  group: readonly DataFile[],
  lost: readonly DataFile[],
  paths: readonly string[],
): Promise<Rebuilt> {
  const sources = gather(group)
  const told = { files: lost.map(({ path }) => path), sources: sources.map(({ name }) => name) }
  const refuse = (refusal: string): Rebuilt => ({ ...told, refusal })
  if (resource === rejects) return refuse('rejected messages are not in any file as they were stored')
  const found = await findArtifacts(resource, sources, paths)
  const missing = sources.filter((source) => !found.has(sourceKey(source)))
  if (missing.length > 0)
    return refuse(
      `these files are needed too, with the bytes that were ingested: ${missing.map(({ name }) => name).join(', ')}`,
    )
  try {
    const staged = await decodeAgain(store, resource, group, sources, found)
    const stale = new Set(group.map(({ path }) => path))
    await amendIn(store, resource, 'REPAIR', async (table) => {
      const live = table.files.filter(({ path }) => stale.has(path))
      if (live.length < group.length)
        throw new Error('another commit changed these files meanwhile; verify again')
      return { stale: live, staged, dataChange: false }
    })
    // One whose bytes are sound after all serves older snapshots.
    for (const { path, sha256 } of lost)
      if ((await hashFile(path).catch(() => undefined)) !== sha256) await rm(path, { force: true })
    return { ...told, refusal: undefined }
  } catch (error) {
    return refuse(sentenceOf(error))
  }
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
  store: RebuildStore,
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
