import { makers } from './l2/makers.ts'
import { rewardManifests } from './l2/reward-manifests.ts'
import type { Embedding, Resource } from './resource.ts'

const embeddedTables = {
  manifest: rewardManifests,
  maker: makers,
} as const satisfies Readonly<Record<Embedding, Resource>>

/** The tables that records of a resource follow from: its own, and those of what they embed. */
export function tablesOf(resource: Resource): readonly Resource[] {
  return [resource, ...Object.values(resource.embeds ?? {}).map((embedding) => embeddedTables[embedding])]
}

/** Whether records of other tables embed those of this one. */
export function isEmbedded(resource: Resource): boolean {
  return Object.values<Resource>(embeddedTables).includes(resource)
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
