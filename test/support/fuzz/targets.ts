import { derivedTargets } from './derived-files.ts'
import { graphqlTarget } from './graphql.ts'
import { keyTargets } from './key-files.ts'
import { lakeTargets } from './lake-files.ts'
import { restTarget } from './rest.ts'
import type { Target } from './target.ts'
import { textTargets } from './texts.ts'
import type { World } from './world.ts'

/** Everything that reads what others wrote. `only`: those of these names, or all. */
export async function openTargets(world: World, only: readonly string[] = []): Promise<readonly Target[]> {
  const all: readonly Target[] = [
    ...([await restTarget(world), graphqlTarget(world)] as readonly Target[]),
    ...(await lakeTargets(world)),
    ...(await derivedTargets(world)),
    ...(await keyTargets(world)),
    ...textTargets(world),
  ]
  const unknown = only.find((name) => !all.some((target) => target.name === name))
  if (unknown === undefined) return only.length === 0 ? all : all.filter(({ name }) => only.includes(name))
  throw new Error(`--only names ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`)
}
