import { basename, dirname, resolve } from 'node:path'
import type { Arrival } from '../catalog/resource.ts'
import { resourceNamed, resources } from '../catalog/resources.ts'
import { type BlockRange, hasBlocks, namePart } from './block-range.ts'
import { listFiles, type UnreadablePath } from './list-files.ts'
import { resourceByContent, resourceByName } from './records/recognise.ts'

/** Kinds of messages that oracles write, in the order in which they are ingested: manifests make shares complete. */
export const oracleKinds = [
  'reward_manifest',
  'iot_reward_share',
  'mobile_reward_share',
  'iot_witness_ingest_report',
] as const

export type OracleKind = (typeof oracleKinds)[number]

/** The kinds of oracle files, by the prefixes of their names. Source: the oracles' public bucket. */
const kindOfPrefix: ReadonlyMap<string, OracleKind> = new Map<string, OracleKind>(
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

/** An oracle kind, or the name of a table that arrives in files of its own. */
export type ArtifactKind = string

const arriving = (as: Arrival['as']) => resources.filter(({ arrival }) => arrival?.as === as)

/** In the order in which they are ingested: what others embed goes first. */
export const artifactKinds: readonly ArtifactKind[] = [
  ...oracleKinds,
  ...[...arriving('records'), ...arriving('csv')].map(({ name }) => name),
]

/** An input file of a known kind. */
export interface Artifact {
  readonly path: string
  /** Name of the source that it becomes. */
  readonly name: string
  readonly kind: ArtifactKind
  /** The network that its category folder names; undefined in a flat folder. */
  readonly network: 'iot' | 'mobile' | undefined
  /** When an oracle created it, milliseconds since 1970; 0 for other files. */
  readonly createdMs: number
  readonly bytes: number
}

/** Files of known kinds in the order of ingest, the others, and what is no readable file. */
export interface Listing {
  readonly artifacts: readonly Artifact[]
  readonly unknown: readonly string[]
  readonly unreadable: readonly UnreadablePath[]
  /** Files of known kinds that have no blocks, where a range of blocks is asked for. */
  readonly withoutBlocks: readonly string[]
}

const ORACLE_NAME = /^([a-z\d_]+)\.(\d{1,15})\.gz$/
const CSV_NAME = /\.csv(\.gz)?$/

/**
 * Lists the artifacts of some kinds in files and folders, in folders with all that is below them. With a range of
 * blocks they are parts of their files.
 */
export async function listArtifacts(
  paths: readonly string[],
  kinds: readonly ArtifactKind[],
  blocks?: BlockRange,
): Promise<Listing> {
  const listed = (await Promise.all([...new Set(paths)].map(listFiles))).flat()
  const artifacts: Artifact[] = []
  const unknown: string[] = []
  const unreadable: UnreadablePath[] = []
  const withoutBlocks: string[] = []
  for (const item of new Map(listed.map((item) => [item.path, item])).values()) {
    const { path } = item
    const kind = kindOf(path) ?? (await recordKindOf(path))
    if (kind === undefined) {
      // What lies behind a folder or a link that cannot be read may be of any kind.
      if ('reason' in item && !item.isLone) unreadable.push({ path, reason: item.reason })
      else unknown.push(path)
    } else if (kinds.includes(kind)) {
      if ('reason' in item) unreadable.push({ path, reason: item.reason })
      else if (blocks !== undefined && !hasBlocks(resourceNamed(kind))) withoutBlocks.push(path)
      else artifacts.push(artifactOf(path, item.bytes, kind, blocks))
    }
  }
  artifacts.sort(compareArtifacts)
  return { artifacts, unknown: unknown.sort(), unreadable, withoutBlocks: withoutBlocks.sort() }
}

function kindOf(path: string): ArtifactKind | undefined {
  const name = basename(path)
  const folder = basename(dirname(resolve(path)))
  const found = resources.find(({ arrival }) => arrival?.as === 'csv' && arrival.folder === folder)
  if (CSV_NAME.test(name)) return found?.name
  return kindOfPrefix.get(ORACLE_NAME.exec(name)?.[1] ?? '')
}

/** Files of records are told by their name or, where it says nothing, by their first record. */
async function recordKindOf(path: string): Promise<ArtifactKind | undefined> {
  return (resourceByName(path) ?? (await resourceByContent(path)))?.name
}

function artifactOf(
  path: string,
  bytes: number,
  kind: ArtifactKind,
  blocks: BlockRange | undefined,
): Artifact {
  const file = basename(path)
  const category = basename(dirname(path))
  const network = category.includes('mobile') ? 'mobile' : category.includes('iot') ? 'iot' : undefined
  const name = blocks === undefined ? file : namePart(file, blocks)
  return { path, name, kind, network, createdMs: Number(ORACLE_NAME.exec(file)?.[2] ?? 0), bytes }
}

function compareArtifacts(a: Artifact, b: Artifact): number {
  return (
    artifactKinds.indexOf(a.kind) - artifactKinds.indexOf(b.kind) ||
    a.createdMs - b.createdMs ||
    (a.path < b.path ? -1 : 1)
  )
}
