import { makers } from './l2/makers.ts'
import { rewardManifests } from './l2/reward-manifests.ts'
import type { Embedding, Resource } from './resource.ts'

interface Embedded {
  readonly table: Resource
  /** The columns of a row that what it embeds follows from. */
  readonly by: readonly string[]
}

const embedded: Readonly<Record<Embedding, Embedded>> = {
  manifest: { table: rewardManifests, by: ['source_file'] },
  maker: { table: makers, by: ['maker_id', 'maker'] },
}

const embeddedIn = ({ embeds = {} }: Resource) => Object.values(embeds).map((own) => embedded[own])

/** The tables that records of a resource follow from: its own, and those of what they embed. */
export function tablesOf(resource: Resource): readonly Resource[] {
  return [resource, ...embeddedIn(resource).map(({ table }) => table)]
}

/** The columns of a row that what its record embeds follows from. */
export function embeddedBy(resource: Resource): readonly string[] {
  return embeddedIn(resource).flatMap(({ by }) => by)
}

/** Whether records of other tables embed those of this one. */
export function isEmbedded(resource: Resource): boolean {
  return Object.values(embedded).some(({ table }) => table === resource)
}

/** Whether the rows of a table are paid by epochs, of which manifests name the files: then it is known what is missing. */
export function hasEpochs({ statistics, embeds = {} }: Resource): boolean {
  if (statistics === undefined) return false
  for (const name in embeds) if (embeds[name] === 'manifest') return true
  return false
}

/** Whether it can be known which days a table lacks. */
export function hasDays(resource: Resource): boolean {
  return resource.daily === true || hasEpochs(resource)
}
