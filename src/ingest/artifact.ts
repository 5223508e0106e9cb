import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fail, sentenceOf } from '../errors.ts'

/** The kinds of oracle files, by the prefixes of their names. Source: the oracles' public bucket. */
const kindOfPrefix: ReadonlyMap<string, ArtifactKind> = new Map<string, ArtifactKind>(
  Object.entries({
    iot_reward_share: 'iot_reward_share',
    iot_network_reward_shares_v1: 'iot_reward_share',
    mobile_reward_share: 'mobile_reward_share',
    mobile_network_reward_shares_v1: 'mobile_reward_share',
    reward_manifest: 'reward_manifest',
    network_reward_manifest_v1: 'reward_manifest',
    iot_witness_ingest_report: 'iot_witness_ingest_report',
  } as const),
)

/** In the order in which they are ingested: manifests first, so that shares are complete at once. */
export const artifactKinds = [
  'reward_manifest',
  'iot_reward_share',
  'mobile_reward_share',
  'iot_witness_ingest_report',
] as const

export type ArtifactKind = (typeof artifactKinds)[number]

/** An input file of a known kind. */
export interface Artifact {
  readonly path: string
  readonly name: string
  readonly kind: ArtifactKind
  /** The network that its category folder names; undefined in a flat folder. */
  readonly network: 'iot' | 'mobile' | undefined
  /** When the oracle created it, milliseconds since 1970. */
  readonly createdMs: number
  readonly bytes: number
}

/** Files of known kinds in the order of ingest, and the others. */
export interface Listing {
  readonly artifacts: readonly Artifact[]
  readonly unknown: readonly string[]
}

const ORACLE_NAME = /^([a-z\d_]+)\.(\d{1,15})\.gz$/

/** Lists files and folders, folders with all that is below them. Errors: `source_unreadable`. */
export async function listArtifacts(paths: readonly string[]): Promise<Listing> {
  const files = (await Promise.all(paths.map(listFiles))).flat()
  const recognised = await Promise.all([...new Set(files)].map(recognise))
  return {
    artifacts: recognised.filter((item) => typeof item !== 'string').sort(compareArtifacts),
    unknown: recognised.filter((item) => typeof item === 'string').sort(),
  }
}

async function listFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  } catch (cause) {
    return fail('source_unreadable', `${path} cannot be read: ${sentenceOf(cause)}`, { cause })
  }
}

async function recognise(path: string): Promise<Artifact | string> {
  const name = basename(path)
  const [, prefix = '', milliseconds = ''] = ORACLE_NAME.exec(name) ?? []
  const kind = kindOfPrefix.get(prefix)
  if (kind === undefined) return path
  const category = basename(dirname(path))
  const network = category.includes('mobile') ? 'mobile' : category.includes('iot') ? 'iot' : undefined
  // What cannot be read is reported when its turn comes.
  const bytes = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  return { path, name, kind, network, createdMs: Number(milliseconds), bytes }
}

function compareArtifacts(a: Artifact, b: Artifact): number {
  return (
    artifactKinds.indexOf(a.kind) - artifactKinds.indexOf(b.kind) ||
    a.createdMs - b.createdMs ||
    (a.path < b.path ? -1 : 1)
  )
}
