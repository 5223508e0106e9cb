import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { spell } from '../exact-json.ts'
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

  async function fromIndex(path: string): Promise<string> {
    const index = openKeyIndex(state, noWriter, 1)
    const table = tableOf(path)
    try {
      await index.load(at)
      const columns = [...(table.resource.earned ?? [])]
      return keysOf(path)
        .map((key) => spell(index.sums(table, key, always, columns) ?? null))
        .join('\n')
    } finally {
      index.close()
    }
  }

  async function fromSums(path: string): Promise<string> {
    const sums = openKeyIndex(state, noWriter, 1)
    try {
      await sums.load(at)
      return spell((await sums.earned(tableOf(path), always, () => 'any', undefined)) ?? null)
    } finally {
      sums.close()
    }
  }

  const files = filesOf('by-key')
  const indexes = { files, refusedAs: [], change: changeBytes, mayLack: true } as const
  return [
    storedTarget({ ...indexes, name: 'indexes by hotspot', read: fromIndex }),
    storedTarget({ ...indexes, name: 'planes of indexes by hotspot', read: fromSums }),
  ] as readonly Target[]
}
