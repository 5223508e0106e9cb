import { rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { rejects } from '../../catalog/lake/rejects.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { tableFolder } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { gatherSources, type SourceInFile, sourceKey } from '../../lake/facts/source.ts'
import { checkpointIfDue } from '../../lake/log/checkpoint.ts'
import { readNewestTable } from '../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../ports/ingest-writer.ts'
import { amendTable, type StagedFile } from '../store/amend-table.ts'
import { stageParts } from '../store/stage-files.ts'
import type { Store } from '../store/store.ts'
import type { DecodedArtifact } from './decode/decode-artifact.ts'
import { blocksOfPart } from './files/block-range.ts'
import { type DecodableArtifacts, findArtifacts } from './find-artifacts.ts'

/** Result of rebuilding data files. */
export interface Rebuilt {
  readonly files: readonly string[]
  readonly sources: readonly string[]
  /** Undefined on success. */
  readonly refusal: string | undefined
  /** Failures after the commit. */
  readonly warning?: string
}

/** Repeats the refusals of the first ingest. */
const ANY_REJECTS = 1_000_000_000

/**
 * Rebuilds damaged live data files from their source files below `paths`. Counts and sums must match the log. Sound
 * files that share a source are rewritten with them. Damaged files are removed after the commit. A failure of one table
 * is reported as refusal, and the other tables are rebuilt.
 */
export async function rebuildFiles(
  store: Store<IngestWriter>,
  damaged: ReadonlySet<string>,
  paths: readonly string[],
): Promise<readonly Rebuilt[]> {
  const done: Rebuilt[] = []
  for (const resource of resources) {
    const folder = join(tableFolder(store.lake, resource), '/')
    const damagedHere = [...damaged].filter((path) => path.startsWith(folder))
    if (damagedHere.length === 0) continue
    try {
      const { files } = await readNewestTable(store.lake, resource)
      for (const part of partsOf(resource, files))
        done.push(...(await rebuildPart(store, resource, part, damaged, paths)))
    } catch (error) {
      done.push({ files: damagedHere, sources: [], refusal: sentenceOf(error) })
    }
  }
  return done
}

/** Groups files that may share sources: by partition, or the whole of a state table. */
function partsOf({ holds }: Resource, files: readonly DataFile[]): readonly (readonly DataFile[])[] {
  if (holds === 'state') return [files]
  const partitions = new Set(files.map(({ partition }) => partition))
  return [...partitions].map((partitionName) => files.filter(({ partition }) => partition === partitionName))
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
    // Without the facts of a file, files with the same sources are unknown.
    return [{ files: lostOf(part).map(({ path }) => path), sources: [], refusal: sentenceOf(error) }]
  }
}

/** Groups the files of a partition that share sources. Errors: `lake_damaged` for unreadable facts. */
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
  const sources = gatherSources(group)
  const description = { files: lost.map(({ path }) => path), sources: sources.map(({ name }) => name) }
  const refuse = (refusal: string): Rebuilt => ({ ...description, refusal })
  if (resource === rejects) return refuse('rejected messages are not in any file as they were stored')
  let decodable: DecodableArtifacts | undefined
  try {
    decodable = await findArtifacts(store.writer, resource, sources, paths)
    const { artifacts } = decodable
    const missing = sources.filter((source) => !artifacts.has(sourceKey(source)))
    if (missing.length > 0)
      return refuse(
        `these files are needed too, with the bytes that were ingested: ${missing.map(({ name }) => name).join(', ')}`,
      )
    const staged = await decodeAgain(store, resource, group, sources, decodable)
    const stale = new Set(group.map(({ path }) => path))
    const label = { operation: 'REPAIR', runId: store.run.id }
    await amendTable(
      store.lake,
      resource,
      label,
      async (table) => {
        const live = table.files.filter(({ path }) => stale.has(path))
        if (live.length < group.length) throw new Error('another commit changed these files; verify again')
        return { stale: live, staged, dataChange: false }
      },
      store.remote,
    )
  } catch (error) {
    return refuse(sentenceOf(error))
  } finally {
    await decodable?.close()
  }
  const warnings = await tidyUp(store, resource, lost)
  return { ...description, refusal: undefined, ...(warnings.length > 0 && { warning: warnings.join('\n') }) }
}

/** Removes damaged files and writes a due checkpoint after the commit. Returns warnings. */
async function tidyUp(
  { lake, writer, run }: Store<IngestWriter>,
  resource: Resource,
  lost: readonly DataFile[],
): Promise<readonly string[]> {
  const warnings: string[] = []
  const warn = (what: string) => (error: unknown) => warnings.push(`${what}: ${sentenceOf(error)}`)
  // A file that has become sound again still serves older snapshots.
  for (const { path, sha256 } of lost)
    if ((await hashFile(path).catch(() => undefined)) !== sha256)
      await rm(path, { force: true }).catch(warn(`${path}, which is damaged, could not be removed`))
  const folder = tableFolder(lake, resource)
  await checkpointIfDue(lake, resource, writer, run.folder).catch(warn(`${folder} got no checkpoint`))
  return warnings
}

/** Decodes the sources again and stages verified files. */
async function decodeAgain(
  store: Store<IngestWriter>,
  resource: Resource,
  group: readonly DataFile[],
  sources: readonly SourceInFile[],
  { artifacts, intake }: DecodableArtifacts,
): Promise<readonly StagedFile[]> {
  const { stage, decode } = await intake.open(store.writer)
  try {
    const decoded: DecodedArtifact[] = []
    for (const [index, source] of sources.entries()) {
      const artifact = artifacts.get(sourceKey(source))
      if (artifact === undefined) continue
      const decodedArtifact = await decode(
        artifact,
        index,
        { maxRejects: ANY_REJECTS },
        blocksOfPart(source.name),
      )
      if (
        sourceKey(decodedArtifact.source) !== sourceKey(source) ||
        decodedArtifact.source.sha256 !== source.sha256
      )
        throw new Error(`${artifact.path} is not the ${source.kind} that was ingested`)
      decoded.push(decodedArtifact)
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
