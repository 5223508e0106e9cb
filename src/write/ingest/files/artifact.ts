import { basename, dirname, resolve } from 'node:path'
import { isEmbedded } from '../../../catalog/embeddings.ts'
import { networkIds } from '../../../catalog/networks.ts'
import { type Arrival, type Resource, unreadableReason } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { Source } from '../../../lake/facts/source.ts'
import type { MessageOrigin } from '../../wire/row-decoder.ts'
import { resourceByContent, resourceByName } from '../records/recognise.ts'
import { type BlockRange, hasBlocks, namePart } from './block-range.ts'
import { isExported } from './exported-name.ts'
import { type InputFile, listFiles, type UnreadablePath } from './list-files.ts'

/** Kind of an oracle's messages, or the name of a table that arrives as records or CSV. */
export type ArtifactKind = string

/** Kinds in ingest order; embedded tables come first. */
function kindsOf(as: Arrival['as']): readonly ArtifactKind[] {
  const arriving = resources.filter(({ arrival }) => arrival?.as === as)
  return [...arriving.filter(isEmbedded), ...arriving.filter((one) => !isEmbedded(one))].map(artifactKindOf)
}

export const messageKinds = kindsOf('messages')

export const artifactKinds = [...messageKinds, ...kindsOf('records'), ...kindsOf('csv')]

/** An input file of a known kind. */
export interface Artifact extends MessageOrigin {
  readonly path: string
  /** Name of its source. */
  readonly name: string
  /** Creation time by an oracle, milliseconds since 1970; 0 for other files. */
  readonly createdMs: number
  readonly bytes: number
  /** The source that an exported file recorded; other artifacts are sources themselves. */
  readonly recorded?: Source
}

/** Input files, grouped by how they can be used. */
export interface Listing {
  readonly artifacts: readonly Artifact[]
  /** Files of exports. */
  readonly exported: readonly InputFile[]
  readonly unknown: readonly string[]
  /** Files in folders with a name of an unsupported kind, with the reason. */
  readonly unsupported: readonly UnreadablePath[]
  readonly unreadable: readonly UnreadablePath[]
  /** Files without blocks, when a range of blocks is given. */
  readonly withoutBlocks: readonly string[]
}

const ORACLE_NAME = /^([a-z\d_]+)\.(\d{1,15})\.gz$/
const CSV_NAME = /\.csv(\.gz)?$/

/**
 * Lists the artifacts of the given kinds in files and, recursively, folders. With a range of blocks, they are parts of
 * files.
 */
export async function listArtifacts(
  paths: readonly string[],
  kinds: readonly ArtifactKind[],
  blocks?: BlockRange,
): Promise<Listing> {
  const listed = (await Promise.all([...new Set(paths)].map(listFiles))).flat()
  const artifacts: Artifact[] = []
  const exported: InputFile[] = []
  const unknown: string[] = []
  const unsupported: UnreadablePath[] = []
  const unreadable: UnreadablePath[] = []
  const withoutBlocks: string[] = []
  for (const item of new Map(listed.map((item) => [item.path, item])).values()) {
    const { path } = item
    const fault = reasonOfName(path)
    if (fault !== undefined) {
      const list = paths.includes(path) ? unreadable : unsupported
      list.push({ path, reason: fault })
      continue
    }
    if (!('reason' in item) && (await isExported(path))) {
      if (blocks === undefined) exported.push(item)
      else withoutBlocks.push(path)
      continue
    }
    const resource = resourceByPath(path) ?? resourceByName(path) ?? (await resourceByContent(path))
    const kind = resource && artifactKindOf(resource)
    if (kind === undefined) {
      // An unreadable folder or link may contain any kind.
      if ('reason' in item && !item.isLone) unreadable.push({ path, reason: item.reason })
      else if (paths.includes(path)) unreadable.push({ path, reason: ofNoKind })
      else unknown.push(path)
    } else if (kinds.includes(kind)) {
      if ('reason' in item) unreadable.push({ path, reason: item.reason })
      else if (blocks !== undefined && !hasBlocks(resource)) withoutBlocks.push(path)
      else artifacts.push(artifactOf(path, item.bytes, kind, blocks))
    }
  }
  artifacts.sort(compareArrivals)
  unsupported.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    ...{ artifacts, exported, unknown: unknown.sort(), unsupported, unreadable },
    withoutBlocks: withoutBlocks.sort(),
  }
}

/** Reason for a file named by the user and of no known kind. Folders may contain such files. */
const ofNoKind = `its kind is not known by its name or its content; expected one of ${artifactKinds.join(', ')}`

/** Returns the artifact kind of a table. */
export function artifactKindOf({ name, arrival }: Resource): ArtifactKind {
  return arrival?.as === 'messages' ? arrival.kind : name
}

/** Recognises CSV by its folder and oracle files by their name. */
function resourceByPath(path: string): Resource | undefined {
  const name = basename(path)
  const folder = basename(dirname(resolve(path)))
  const prefix = ORACLE_NAME.exec(name)?.[1]
  return resources.find(({ arrival }) => {
    if (CSV_NAME.test(name)) return arrival?.as === 'csv' && arrival.folder === folder
    return arrival?.as === 'messages' && arrival.prefixes.some((known) => known === prefix)
  })
}

/** Returns the reason why a file of this name is unsupported, or undefined. */
function reasonOfName(path: string): string | undefined {
  const prefix = ORACLE_NAME.exec(basename(path))?.[1]
  if (prefix === undefined) return undefined
  return resources
    .map((resource) => unreadableReason(resource, prefix))
    .find((reason) => reason !== undefined)
}

/** Recognises kind and creation time by the path; undefined for kinds recognised by content alone. */
export function recognisePath(
  path: string,
): (Pick<Artifact, 'kind'> & { readonly createdMs?: number }) | undefined {
  const resource = resourceByPath(path)
  if (resource === undefined) return undefined
  const created = ORACLE_NAME.exec(basename(path))?.[2]
  return { kind: artifactKindOf(resource), ...(created !== undefined && { createdMs: Number(created) }) }
}

function artifactOf(
  path: string,
  bytes: number,
  kind: ArtifactKind,
  blocks: BlockRange | undefined,
): Artifact {
  const file = basename(path)
  const category = basename(dirname(path))
  const network = networkIds.findLast((id) => category.includes(id))
  const name = blocks === undefined ? file : namePart(file, blocks)
  return { path, name, kind, network, createdMs: Number(ORACLE_NAME.exec(file)?.[2] ?? 0), bytes }
}

type Placed = Pick<Artifact, 'kind' | 'createdMs' | 'path'>

/** Orders artifacts for ingest: by kind, time and path. */
export function compareArrivals(a: Placed, b: Placed): number {
  return (
    artifactKinds.indexOf(a.kind) - artifactKinds.indexOf(b.kind) ||
    a.createdMs - b.createdMs ||
    (a.path < b.path ? -1 : 1)
  )
}
