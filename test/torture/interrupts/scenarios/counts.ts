import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiKey } from '../../../../src/keys/api-key.ts'
import { openCounterOf } from '../../../../src/keys/counting/key-counter.ts'
import type { Scenario } from '../scenario.ts'

/** What keys have used. */

const keysIn = (folder: string) => join(folder, 'keys', 'keys.ndjson')
const QUOTA = 1000
const limited: Pick<ApiKey, 'id' | 'quotaPer30Days' | 'ratePerMinute'> = {
  ...{ id: 'a1b2c3d4e5f6', quotaPer30Days: QUOTA, ratePerMinute: null },
}
const NOW = Date.UTC(2026, 0, 1)

/** Requests are counted one after the other; each that was counted stays so. */
export function counting(): Scenario {
  let [before, acknowledged] = [0, 0]
  const open = (folder: string, report: (error: unknown) => void = () => {}) =>
    openCounterOf(keysIn(folder), report, undefined, 0)
  const used = (folder: string) => {
    const counter = open(folder)
    const { quota } = counter.take(limited, NOW)
    counter.release(limited.id, NOW)
    counter.close()
    return quota.used
  }
  /** After the first error, which was reported, requests count in this process alone. */
  function count(folder: string, requests: number): void {
    let errors = 0
    acknowledged = 0
    const counter = open(folder, () => {
      errors += 1
    })
    try {
      for (let request = 0; request < requests; request += 1) {
        counter.take(limited, NOW)
        counter.spend(limited.id, NOW)
        if (errors === 0) acknowledged += 1
      }
    } finally {
      counter.close()
    }
  }
  return {
    name: 'counting of requests',
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      count(folder, 3)
      before = acknowledged
      assert.deepEqual([before, used(folder)], [3, 3])
    },
    async act(folder) {
      count(folder, 12)
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
