import { makers } from './l2/makers.ts'
import { rewardManifests } from './l2/reward-manifests.ts'
import type { Embedding, Resource } from './resource.ts'

interface Embedded {
  readonly table: Resource
  /** Columns of the row that determine the embedded record. */
  readonly by: readonly string[]
}

const embedded: Readonly<Record<Embedding, Embedded>> = {
  manifest: { table: rewardManifests, by: ['source_file'] },
  maker: { table: makers, by: ['maker_id', 'maker'] },
}

const embeddedIn = ({ embeds = {} }: Resource) => Object.values(embeds).map((own) => embedded[own])

/** Tables that records of a resource need: its own and the embedded ones. */
export function tablesOf(resource: Resource): readonly Resource[] {
  return [resource, ...embeddedIn(resource).map(({ table }) => table)]
}

/** Columns that the embedded records need. */
export function embeddedBy(resource: Resource): readonly string[] {
  return embeddedIn(resource).flatMap(({ by }) => by)
}

export function isEmbedded(resource: Resource): boolean {
  return Object.values(embedded).some(({ table }) => table === resource)
}

/** True if manifests name the files of a table, so that missing files are known. */
export function hasEpochs({ statistics, embeds = {} }: Resource): boolean {
  if (statistics === undefined) return false
  for (const name in embeds) if (embeds[name] === 'manifest') return true
  return false
}

/** True if missing days of a table are known. */
export function hasDays(resource: Resource): boolean {
  return resource.daily === true || hasEpochs(resource)
}
