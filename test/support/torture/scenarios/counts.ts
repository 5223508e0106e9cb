import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiKey } from '../../../../src/operate/keys/api-key.ts'
import { openCounterOf } from '../../../../src/operate/keys/counting/key-counter.ts'
import type { Ended } from '../../run-main.ts'
import type { Scenario } from '../scenario.ts'

/** What keys have used. */

const keysIn = (folder: string) => join(folder, 'keys', 'keys.ndjson')
const ignore = () => {}

const QUOTA = 1000
const limited: Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'> = {
  ...{ id: 'a1b2c3d4e5f6', quotaPer30Days: QUOTA, ratePerMinute: null },
}
const NOW = Date.UTC(2026, 0, 1)

/** Requests are counted one after the other; each that was counted stays so. */
export function counting(): Scenario {
  let acknowledged = 0
  const open = (folder: string) => openCounterOf(keysIn(folder), ignore, undefined, 0)
  const used = (folder: string) => {
    const counter = open(folder)
    const { quota } = counter.take(limited, NOW)
    counter.release(limited.id, NOW)
    counter.close()
    return quota.used
  }
  let before = 0
  return {
    name: 'counting of requests',
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      const counter = open(folder)
      for (let request = 0; request < 3; request += 1) {
        counter.take(limited, NOW)
        counter.spend(limited.id, NOW)
      }
      counter.close()
      before = used(folder)
      assert.equal(before, 3)
    },
    async act(folder): Promise<Ended> {
      acknowledged = 0
      const errors: unknown[] = []
      const counter = openCounterOf(keysIn(folder), (error) => errors.push(error), undefined, 0)
      try {
        for (let request = 0; request < 12; request += 1) {
          counter.take(limited, NOW)
          counter.spend(limited.id, NOW)
          // What could not be written is counted in this process alone, which was reported.
          if (errors.length === 0) acknowledged += 1
        }
      } finally {
        counter.close()
      }
      return { code: 0, stdout: '', stderr: '' }
    },
    async check(folder, _ended, kind) {
      // Counts are not synced: of a power cut only the log that was there is kept.
      const least = kind.startsWith('power cut') ? 0 : before + acknowledged
      assert.ok(used(folder) >= least, `${used(folder)} requests are counted of ${least}`)
    },
    async checkEnd(folder) {
      assert.ok(used(folder) >= 12, 'requests are not counted any more')
    },
  }
}
