import { ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { type Source, sourceKey } from '../../lake/facts/source.ts'
import { FileFault } from '../wire/faults.ts'
import type { DecodedArtifact } from './decode/decode-artifact.ts'
import type { OpenIntake } from './decode/intake.ts'
import type { Artifact } from './files/artifact.ts'
import type { IngestCounts } from './ingest-counts.ts'
import type { KnownSources } from './known-sources.ts'

export interface DecodeOptions {
  /** Refused messages that a file may have; see `mostRefused` for the default. */
  readonly maxRejects: number | undefined
  /** Replaces artifacts of the same name with other bytes. */
  readonly replace: boolean
  /** Ends the run, also within a file. Commits that were made remain. */
  readonly signal?: AbortSignal | undefined
}

/** Decodes an artifact; undefined if the lake has it. Errors: FileFault; the reason of the signal. */
export async function decodeNew(
  artifact: Artifact,
  index: number,
  decode: OpenIntake['decode'],
  knownSources: KnownSources,
  { maxRejects, replace, signal }: DecodeOptions,
  counts: IngestCounts,
): Promise<DecodedArtifact | undefined> {
  const skip = () => {
    knownSources.seen(artifact.name)
    counts.skipped(artifact)
    return undefined
  }
  signal?.throwIfAborted()
  const { name } = artifact
  const held = knownSources.heldOf(name)
  const isSame = knownSources.hasName(name) && knownSources.hasBytes(name, await digestOf(artifact))
  // A newer decoder or another limit may refuse fewer records of the same bytes.
  if (isSame && (!replace || knownSources.isSeen(name) || held.refused === 0)) return skip()
  const overlapping = knownSources.overlapping(artifact.name)
  if (overlapping.length > 0 && (!replace || overlapping.some((name) => knownSources.isSeen(name))))
    throw new FileFault(partsInCommon(overlapping))
  const onRows = (rows: number, part = 0) => counts.decoding(artifact, rows, part)
  const decoded = await decode(artifact, index, { maxRejects, onRows, signal })
  if (isSame) {
    const isBetter = decoded.refused.length < held.refused && decoded.statistics.rows >= held.rows
    return isBetter ? { ...decoded, replaces: 'same' } : skip()
  }
  const { kind } = decoded.source
  if (overlapping.length > 0)
    return { ...decoded, replaces: true, supersedes: overlapping.map((name) => sourceKey({ kind, name })) }
  const digest = knownSources.digestOf(decoded.source)
  if (digest === undefined) return decoded
  if (replace && !knownSources.isSeen(artifact.name)) return { ...decoded, replaces: true }
  throw new FileFault(
    knownSources.isSeen(artifact.name)
      ? `${artifact.name} is given twice with different bytes; give one of them`
      : describeOtherBytes(decoded.source, digest),
  )
}

async function digestOf({ recorded, path }: Artifact): Promise<string> {
  return recorded?.sha256 ?? (await hashFile(path))
}

function partsInCommon(names: readonly string[]): string {
  const [have, them] = names.length === 1 ? ['has', 'it'] : ['have', 'them']
  return (
    `the lake holds ${names.join(', ')}, which ${have} blocks of this file already; ` +
    `use a range of other blocks, or --replace, which takes ${them} out`
  )
}

/** Explains why an artifact with changed bytes is skipped. */
export function describeOtherBytes({ name, sha256 }: Source, heldDigest: string): string {
  return (
    `the lake holds ${name} with other bytes (SHA-256 ${heldDigest}, now ${sha256}); ` +
    'use the same bytes or another name, or --replace'
  )
}

/** Describes a fault of the file. Rethrows other errors, such as a full disk, which end the run. */
export function describeFileFault(error: unknown, artifact: Artifact): string {
  if (error instanceof ServiceError) throw error
  if (error instanceof FileFault) return sentenceOf(error)
  if (!isReadError(error, artifact)) throw error
  return `${systemWordsOf(error) ?? sentenceOf(error)}; ingest it again once it can be read`
}

/** Returns true for an error of reading the artifact. Errors of open have a path, errors of read have none. */
function isReadError(error: unknown, { path }: Artifact): boolean {
  if (!(error instanceof Error && 'syscall' in error)) return false
  return error.syscall === 'read' || ('path' in error && error.path === path)
}
