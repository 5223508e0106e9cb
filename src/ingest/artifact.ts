import { basename, dirname } from 'node:path'
import { listFiles, type UnreadablePath } from './list-files.ts'
import { resourceByContent, resourceByName } from './records/recognise.ts'

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
  'makers',
  'hotspots',
] as const

export type ArtifactKind = (typeof artifactKinds)[number]

/** An input file of a known kind. */
export interface Artifact {
  readonly path: string
  readonly name: string
  readonly kind: ArtifactKind
  /** The network that its category folder names; undefined in a flat folder. */
  readonly network: 'iot' | 'mobile' | undefined
  /** When the oracle created it, milliseconds since 1970; 0 for files of records. */
  readonly createdMs: number
  readonly bytes: number
}

/** Files of known kinds in the order of ingest, the others, and what is no readable file. */
export interface Listing {
  readonly artifacts: readonly Artifact[]
  readonly unknown: readonly string[]
  readonly unreadable: readonly UnreadablePath[]
}

const ORACLE_NAME = /^([a-z\d_]+)\.(\d{1,15})\.gz$/

/** Lists the artifacts of some kinds in files and folders, in folders with all that is below them. */
export async function listArtifacts(
  paths: readonly string[],
  kinds: readonly ArtifactKind[],
): Promise<Listing> {
  const listed = (await Promise.all([...new Set(paths)].map(listFiles))).flat()
  const artifacts: Artifact[] = []
  const unknown: string[] = []
  const unreadable: UnreadablePath[] = []
  for (const item of new Map(listed.map((item) => [item.path, item])).values()) {
    const { path } = item
    const kind = kindOf(path) ?? (await recordKindOf(path))
    if (kind === undefined) {
      // What lies behind a folder or a link that cannot be read may be of any kind.
      if ('reason' in item && !item.isLone) unreadable.push({ path, reason: item.reason })
      else unknown.push(path)
    } else if (kinds.includes(kind)) {
      if ('reason' in item) unreadable.push({ path, reason: item.reason })
      else artifacts.push(artifactOf(path, item.bytes, kind))
    }
  }
  return { artifacts: artifacts.sort(compareArtifacts), unknown: unknown.sort(), unreadable }
}

function kindOf(path: string): ArtifactKind | undefined {
  return kindOfPrefix.get(ORACLE_NAME.exec(basename(path))?.[1] ?? '')
}

/** Files of records are told by their name or, where it says nothing, by their first record. */
async function recordKindOf(path: string): Promise<ArtifactKind | undefined> {
  const resource = resourceByName(path) ?? (await resourceByContent(path))
  return artifactKinds.find((kind) => kind === resource?.name)
}

function artifactOf(path: string, bytes: number, kind: ArtifactKind): Artifact {
  const name = basename(path)
  const category = basename(dirname(path))
  const network = category.includes('mobile') ? 'mobile' : category.includes('iot') ? 'iot' : undefined
  return { path, name, kind, network, createdMs: Number(ORACLE_NAME.exec(name)?.[2] ?? 0), bytes }
}

function compareArtifacts(a: Artifact, b: Artifact): number {
  return (
    artifactKinds.indexOf(a.kind) - artifactKinds.indexOf(b.kind) ||
    a.createdMs - b.createdMs ||
    (a.path < b.path ? -1 : 1)
  )
}
