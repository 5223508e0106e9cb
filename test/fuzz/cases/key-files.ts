import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addKey, readKeys, revokeKey } from '../../../src/keys/key-file.ts'
import { readUsage, usageFileOf } from '../../../src/keys/usage-file.ts'
import { spell } from '../../support/exact-json.ts'
import { writeOlderUsage } from '../../support/older-usage.ts'
import { changeBytes, changeText } from './changes.ts'
import { storedTarget } from './stored-file.ts'
import type { Target } from './target.ts'
import type { World } from './world.ts'

/** The key file, and the file in which an older build counted what keys have used. */
export async function keyTargets(world: World): Promise<readonly Target[]> {
  const folder = join(world.folder, 'keys')
  mkdirSync(folder)
  const path = join(folder, 'keys.ndjson')
  const terms = { features: [], ratePerMinute: 60, quotaPer30Days: 100, lookbackDays: 7 }
  const now = new Date()
  for (const name of ['a', 'b', 'c', 'd']) await addKey(path, { name, ...terms }, now)
  await revokeKey(path, 'b', now)
  const keys = (await readKeys(path)) ?? []
  const ignore = () => {}
  for (const [index, { id }] of keys.entries())
    writeOlderUsage(path, id, { since: now.getTime(), used: index + 1 })

  function used(): string {
    const usage = readUsage(path, ignore)
    return keys.map(({ id }) => spell(usage.get(id) ?? null)).join('\n')
  }

  return [
    storedTarget({
      ...{ name: 'key file', files: [path], refusedAs: ['malformed_request'] },
      read: async () => spell(await readKeys(path)),
      change(bytes, random) {
        const changed = random.chance(0.5)
          ? changeBytes(bytes, random)
          : Buffer.from(changeText(bytes.toString(), random))
        // An empty file has no keys, as one that was made to be mounted.
        return changed.length === 0 ? bytes : changed
      },
    }),
    storedTarget({
      ...{ name: 'usage', files: [usageFileOf(path)], refusedAs: [], read: used, mayLack: true },
      change: changeBytes,
    }),
  ]
}
