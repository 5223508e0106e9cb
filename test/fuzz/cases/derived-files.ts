import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { type KeyIndex, openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { spell } from '../../support/exact-json.ts'
import { changeBytes } from './changes.ts'
import { storedTarget } from './stored-file.ts'
import type { Target } from './target.ts'
import { copyOf, type World } from './world.ts'

/** No sum is built here. */
const noWriter = async () => {
  throw new Error('nothing is written')
}
const always = { from: 0n, to: 2n ** 60n }

/** Rows and planes of the indexes by hotspot: harmed ones are given up, and answers come from elsewhere. */
export async function derivedTargets(world: World): Promise<readonly Target[]> {
  const state = await copyOf(world.state, join(world.folder, 'state-copy'))
  const at = await new Lake(world.lake).latest()
  const tableOf = (path: string) =>
    at.table(path.includes(iotRewardShares.name) ? iotRewardShares : mobileRewardShares)
  const keysOf = (path: string) => {
    const { resource } = tableOf(path)
    return [...new Set(world.rowsOf(resource).flatMap((row) => row.hotspot_key ?? []))].map(String)
  }
  const filesOf = (kind: string) =>
    readdirSync(join(state, kind), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.keys$/.test(name))
      .map((name) => join(state, kind, name))

  /** Reads what follows from an index that is opened anew. */
  const reading =
    (read: (index: KeyIndex, path: string) => string | Promise<string>) => async (path: string) => {
      const index = openKeyIndex(state, noWriter, 1)
      try {
        await index.load(at)
        return await read(index, path)
      } finally {
        index.close()
      }
    }
  const rows = reading((index, path) => {
    const columns = [...(tableOf(path).resource.earned ?? [])]
    const sums = keysOf(path).map((key) => index.sums(tableOf(path), key, always, columns) ?? null)
    return sums.map(spell).join('\n')
  })
  const planes = reading(async (index, path) =>
    spell((await index.earned(tableOf(path), always, () => 'any', undefined)) ?? null),
  )

  const files = filesOf('by-key')
  const indexes = { files, refusedAs: [], change: changeBytes, mayLack: true } as const
  return [
    storedTarget({ ...indexes, name: 'indexes by hotspot', read: rows }),
    storedTarget({ ...indexes, name: 'planes of indexes by hotspot', read: planes }),
  ]
}
