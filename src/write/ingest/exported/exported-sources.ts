import { getOrMake, groupBy } from '../../../base/maps.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type SourceInFile, sourceKey } from '../../../lake/facts/source.ts'
import type { ExportedFile } from '../../ports/exported-file.ts'
import type { IngestWriter } from '../../ports/ingest-writer.ts'
import type { Intake } from '../decode/intake.ts'
import { type Artifact, type ArtifactKind, artifactKindOf, recognisePath } from '../files/artifact.ts'
import type { InputFile } from '../files/list-files.ts'
import { type CountedSources, type CountSources, EXPORT_WHOLE, exportedIntake } from './exported-intake.ts'

/** A file of an export, open, and its sources by kind. */
export interface ExportedSources {
  readonly artifacts: readonly Artifact[]
  /** Faults of sources that the file has a part of. */
  readonly faults: readonly string[]
  intakeOf(kind: ArtifactKind): Intake | undefined
  close(): Promise<void>
}

/** Opens a file of an export; undefined if it records no sources. Errors: FileFault. */
export async function openExportedSources(
  writer: IngestWriter,
  { path, bytes }: InputFile,
  kinds: readonly ArtifactKind[],
): Promise<ExportedSources | undefined> {
  const file = await writer.openExported(path)
  if (file === undefined) return undefined
  const wanted = file.records.filter(({ resource }) => kinds.includes(artifactKindOf(resource)))
  const recorded = new Map(
    [...groupBy(wanted, (record) => artifactKindOf(record.resource))].map(([kind, records]) => [
      kind,
      groupBy(records, ({ source }) => sourceKey(source)),
    ]),
  )
  const counted = countingOf(file)
  const number = [...recorded.values()].reduce((sum, sources) => sum + sources.size, 0)
  const artifacts = [...recorded].flatMap(([kind, sources]) =>
    [...sources.values()].flatMap(([first]) =>
      first === undefined ? [] : artifactOf(kind, path, Math.floor(bytes / number), first.source),
    ),
  )
  return {
    artifacts: artifacts.sort((a, b) => a.createdMs - b.createdMs || (a.name < b.name ? -1 : 1)),
    faults: await findUnrecorded(file, counted),
    intakeOf(kind) {
      const sources = recorded.get(kind)
      const [[first] = []] = sources?.values() ?? []
      return sources && first && exportedIntake(file, counted, first.resource, sources)
    },
    close: () => file.close(),
  }
}

function artifactOf(
  kind: ArtifactKind,
  path: string,
  bytes: number,
  { kind: sourceKind, name, sha256 }: SourceInFile,
): Artifact {
  const createdMs = recognisePath(name)?.createdMs ?? 0
  const recorded = { kind: sourceKind, name, sha256 }
  return { path, name, kind, network: undefined, createdMs, bytes, recorded }
}

/** Counts the rows of each table once. */
function countingOf(file: ExportedFile): CountSources {
  const counted = new Map<Resource, Promise<CountedSources>>()
  const count = async (resource: Resource) =>
    new Map((await file.readSources(resource)).map((source) => [source.source_file, source]))
  return (resource) => getOrMake(counted, resource, () => count(resource))
}

async function findUnrecorded(
  { records, partial }: ExportedFile,
  countSources: CountSources,
): Promise<readonly string[]> {
  const names = new Set(records.map(({ source }) => source.name))
  const counted = await Promise.all(partial.map(countSources))
  return counted
    .flatMap((sources) => [...sources.values()])
    .filter(({ source_file }) => !names.has(source_file))
    .map(({ source_file, rows }) => `it has ${rows} rows of ${source_file}, a part of it; ${EXPORT_WHOLE}`)
}
