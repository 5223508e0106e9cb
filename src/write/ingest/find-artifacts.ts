import type { Resource } from '../../catalog/resource.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { type Source, sourceKey } from '../../lake/facts/source.ts'
import type { IngestWriter } from '../ports/ingest-writer.ts'
import { type Intake, intakeOf } from './decode/intake.ts'
import { openExportedSources } from './exported/exported-sources.ts'
import { type Artifact, artifactKindOf, listArtifacts } from './files/artifact.ts'
import { fileOfPart } from './files/block-range.ts'

/** The artifacts of sources by source key, and their decoder. */
export interface DecodableArtifacts {
  readonly artifacts: ReadonlyMap<string, Artifact>
  readonly intake: Intake
  close(): Promise<void>
}

/**
 * Finds artifacts by name and SHA-256: files below `paths`, or else the first export that has all of them. If neither
 * has all, returns the files. Errors: FileFault for a damaged export.
 */
export async function findArtifacts(
  writer: IngestWriter,
  resource: Resource,
  sources: readonly Source[],
  paths: readonly string[],
): Promise<DecodableArtifacts> {
  const kind = artifactKindOf(resource)
  const { artifacts: listed, exported } = await listArtifacts(paths, [kind])
  const files = {
    artifacts: await matchFiles(listed, sources),
    intake: intakeOf(kind, {}),
    close: async () => {},
  }
  if (files.artifacts.size === sources.length) return files
  for (const path of exported) {
    const file = await openExportedSources(writer, path, [kind])
    const [intake, artifacts] = [file?.intakeOf(kind), matchRecorded(file?.artifacts ?? [], sources)]
    if (file !== undefined && intake !== undefined && artifacts.size === sources.length)
      return { artifacts, intake, close: file.close }
    await file?.close()
  }
  return files
}

async function matchFiles(
  listed: readonly Artifact[],
  sources: readonly Source[],
): Promise<ReadonlyMap<string, Artifact>> {
  const bySource = new Map<string, Artifact>()
  for (const source of sources)
    for (const artifact of listed.filter(({ name }) => name === fileOfPart(source.name)))
      if ((await hashFile(artifact.path)) === source.sha256)
        bySource.set(sourceKey(source), { ...artifact, name: source.name })
  return bySource
}

function matchRecorded(
  artifacts: readonly Artifact[],
  sources: readonly Source[],
): ReadonlyMap<string, Artifact> {
  const digests = new Map(sources.map((source) => [sourceKey(source), source.sha256]))
  const matching = artifacts.flatMap((artifact) => {
    const key = artifact.recorded && sourceKey(artifact.recorded)
    return key !== undefined && digests.get(key) === artifact.recorded?.sha256
      ? [[key, artifact] as const]
      : []
  })
  return new Map(matching)
}
