import { ServiceError, sentenceOf, systemWordsOf } from '../../base/errors.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { type Source, sourceKey } from '../../lake/facts/source.ts'
import { FileFault } from '../wire/faults.ts'
import type { Counts } from './counts.ts'
import type { DecodedArtifact } from './decode/decode-artifact.ts'
import type { OpenIntake } from './decode/intake.ts'
import type { Artifact } from './files/artifact.ts'
import type { KnownSources } from './known-sources.ts'

export interface DecodeOptions {
  /** A file with more refused messages is broken; unless given, a share of them decides. */
  readonly maxRejects: number | undefined
  /** An artifact of a known name with other bytes takes the place of the old one. */
  readonly replace: boolean
}

/** Decodes an artifact unless the lake has it; undefined when it has. */
export async function decodeNew(
  artifact: Artifact,
  index: number,
  decode: OpenIntake['decode'],
  known: KnownSources,
  { maxRejects, replace }: DecodeOptions,
  counts: Counts,
): Promise<DecodedArtifact | undefined> {
  const skip = () => {
    known.seen(artifact.name)
    counts.skipped(artifact)
    return undefined
  }
  const { name } = artifact
  const held = known.heldOf(name)
  const isSame = known.hasName(name) && known.hasBytes(name, await hashFile(artifact.path))
  // The same bytes may have fewer refused records now, by another limit or a newer program.
  if (isSame && (!replace || known.isSeen(name) || held.refused === 0)) return skip()
  const others = known.overlapping(artifact.name)
  if (others.length > 0 && (!replace || others.some((name) => known.isSeen(name))))
    throw new FileFault(partsInCommon(others))
  const onRows = (rows: number, part = 0) => counts.decoding(artifact, rows, part)
  const decoded = await decode(artifact, index, { maxRejects, onRows })
  if (isSame) {
    const isBetter = decoded.refused.length < held.refused && decoded.statistics.rows >= held.rows
    return isBetter ? { ...decoded, replaces: 'same' } : skip()
  }
  const { kind } = decoded.source
  if (others.length > 0)
    return { ...decoded, replaces: true, supersedes: others.map((name) => sourceKey({ kind, name })) }
  const digest = known.digestOf(decoded.source)
  if (digest === undefined) return decoded
  if (replace && !known.isSeen(artifact.name)) return { ...decoded, replaces: true }
  throw new FileFault(
    known.isSeen(artifact.name)
      ? `${artifact.name} is given twice with different bytes; one of them is accepted`
      : otherBytes(decoded.source, digest),
  )
}

function partsInCommon(names: readonly string[]): string {
  const [have, them] = names.length === 1 ? ['has', 'it'] : ['have', 'them']
  return (
    `the lake holds ${names.join(', ')}, which ${have} blocks of this file already; ` +
    `a range of other blocks is accepted, or --replace, which takes ${them} out`
  )
}

/** Why an artifact of a known name is left out. */
export function otherBytes({ name, sha256 }: Source, known: string): string {
  return (
    `the lake holds ${name} with other bytes (SHA-256 ${known}, now ${sha256}); ` +
    'the same bytes or another name are accepted, or --replace'
  )
}

/** What is wrong with the file itself; anything else, such as a full disk, ends the run. Errors: those. */
export function faultOf(error: unknown, artifact: Artifact): string {
  if (error instanceof ServiceError) throw error
  if (error instanceof FileFault) return sentenceOf(error)
  if (!isReadError(error, artifact)) throw error
  return `${systemWordsOf(error) ?? sentenceOf(error)}; ingest it again once it can be read`
}

/** Opening names the path; reading, of a folder say, does not. */
function isReadError(error: unknown, { path }: Artifact): boolean {
  if (!(error instanceof Error && 'syscall' in error)) return false
  return error.syscall === 'read' || ('path' in error && error.path === path)
}
