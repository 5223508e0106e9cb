import { existsSync } from 'node:fs'
import { fail } from '../../../base/errors.ts'
import { isStateKind } from '../../../write/ingest/decode/kinds.ts'
import { type ArtifactKind, artifactKinds } from '../../../write/ingest/files/artifact.ts'
import type { BlockRange } from '../../../write/ingest/files/block-range.ts'

/** Parsed flags; flags without a value are true or undefined. */
export interface IngestFlags {
  readonly only?: readonly ArtifactKind[]
  readonly skip?: readonly ArtifactKind[]
  readonly maxRejects?: number
  readonly blocks?: BlockRange
  readonly replace?: boolean
  /** Files of makers, hotspots and other states replace their whole tables. */
  readonly replaceAll?: boolean
  /** After the paths, retries the rejects of earlier runs and of this one. */
  readonly retryRejects?: true
  readonly json?: true
}

export function refusePaths(paths: readonly string[], flags: IngestFlags): void {
  const { replaceAll, retryRejects } = flags
  if (paths.length === 0 && !retryRejects) {
    fail(
      'malformed_request',
      "missing required argument 'path': name files or folders, or use --retry-rejects",
    )
  }
  if (paths.length === 0 && replaceAll) {
    const states = artifactKinds.filter(isStateKind).join(', ')
    fail('malformed_request', `--replace-all needs a 'path' with files of ${states}`)
  }
  refuseIdle(paths, flags)
  // Kinds separated by blanks would be parsed as paths.
  const kind = paths.find((path) => artifactKinds.some((known) => known === path) && !existsSync(path))
  if (kind === undefined) return
  const example = `--only ${artifactKinds[1]},${artifactKinds[2]}`
  fail('malformed_request', `There is no path ${kind}, which is a kind; separate kinds by commas: ${example}`)
}

/** Flags that apply to named files only. */
const ofPaths = { maxRejects: '--max-rejects', blocks: '--blocks', replace: '--replace' } as const

/** Throws for a flag without effect, which may be meant for something else. */
function refuseIdle(paths: readonly string[], flags: IngestFlags): void {
  const idle = Object.entries(ofPaths).find(([name]) => name in flags)?.[1]
  if (paths.length === 0 && idle !== undefined)
    fail(
      'malformed_request',
      `${idle} has no effect with --retry-rejects alone; name files or folders, or leave it out`,
    )
}
