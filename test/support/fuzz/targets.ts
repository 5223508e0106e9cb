import { derivedTargets } from './derived-files.ts'
import { graphqlTarget } from './graphql.ts'
import { keyTargets } from './key-files.ts'
import { lakeTargets } from './lake-files.ts'
import { restTarget } from './rest.ts'
import { sourceTargets } from './sources.ts'
import type { Target } from './target.ts'
import { textTargets } from './texts.ts'
import type { World } from './world.ts'

/** An ingest takes so many times as long as any other case. */
const TIMES = 8

/**
 * Everything that reads what others wrote. `only`: those of these names, or all. Each is there `times` times, but for those that ingest
 * files.
 */
export async function openTargets(
  world: World,
  only: readonly string[] = [],
  times = TIMES,
): Promise<readonly Target[]> {
  const quick: readonly Target[] = [
    ...([await restTarget(world), graphqlTarget(world)] as readonly Target[]),
    ...(await lakeTargets(world)),
    ...(await derivedTargets(world)),
    ...(await keyTargets(world)),
    ...textTargets(world),
  ]
  const all = [...Array.from({ length: times }, () => quick).flat(), ...(await sourceTargets(world))]
  const unknown = only.find((name) => !all.some((target) => target.name === name))
  if (unknown === undefined) return only.length === 0 ? all : all.filter(({ name }) => only.includes(name))
  throw new Error(
    `--only names ${unknown}; there are ${[...new Set(all.map(({ name }) => name))].join(', ')}`,
  )
}
