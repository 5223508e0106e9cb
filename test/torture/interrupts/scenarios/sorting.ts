import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../src/write/sample/random.ts'
import type { ExactRecord } from '../../../support/archive/records.ts'
import { readExact } from '../../../support/exact-json.ts'
import { filesBelow } from '../../../support/lakes/leftovers.ts'
import { buildTestServer } from '../../../support/servers/build-test-server.ts'
import { makeSortedInputs } from '../ledger-steps.ts'
import { type CommandScenario, lakeIn } from '../scenario.ts'
import { ingestScenario } from './ingests.ts'

/** Everything is in and nothing is sorted for filters: an ingest of the same files has only that to do. */
export function sorting(random: Random): CommandScenario {
  let rewards: readonly ExactRecord[] = []
  const name = 'nothing but sorting'
  const make = async (folder: string) => {
    const made = await makeSortedInputs(folder)
    rewards = made.rewards
    return [made.step, made.step]
  }
  const again = ingestScenario({ name, make, step: 1, flags: [] })
  return {
    ...again,
    async prepare(folder) {
      await again.prepare(folder)
      rmSync(join(lakeIn(folder), '_state'), { recursive: true })
    },
    async check(folder, ended, kind) {
      await again.check(folder, ended, kind)
      await checkFilters(lakeIn(folder), rewards, random)
    },
    async checkEnd(folder) {
      await again.checkEnd(folder)
      assert.deepEqual(sortedTables(lakeIn(folder)), ['l1_rewards', 'l1_transaction_actors'])
      await checkFilters(lakeIn(folder), rewards, random)
    },
  }
}

/** Tables that have an index by a column. */
function sortedTables(lake: string): readonly string[] {
  const indexes = filesBelow(join(lake, '_state/index'))
  const names = indexes.flatMap((path) => /^(\w+)\/(?!list-)\w+-[0-9a-f]{64}\.blocks$/.exec(path)?.[1] ?? [])
  return [...new Set(names)]
}

const filters = ['account_address', 'gateway_address', 'transaction_hash'] as const

/** Asks for the rewards of some accounts, gateways and transactions, and compares with all rewards of the archive. */
async function checkFilters(lake: string, rewards: readonly ExactRecord[], random: Random): Promise<void> {
  const server = await buildTestServer(lake)
  try {
    for (const filter of filters) {
      const value = rewards[random.below(rewards.length)]?.[filter] ?? ''
      const wanted = rewards.filter((reward) => reward[filter] === value)
      const query = new URLSearchParams({ [filter]: String(value), per_page: '100' })
      const { status, text } = await server.get(`/l1/rewards?${query}`)
      assert.equal(status, 200, text)
      const { meta, objects } = readExact<{ meta: ExactRecord; objects: readonly ExactRecord[] }>(text)
      const what = `rewards of ${filter} ${value} in ${lake}`
      assert.equal(meta.total_pages, BigInt(Math.max(1, Math.ceil(wanted.length / 100))), what)
      assert.deepEqual(
        objects.map(({ id, ...reward }) => reward),
        ordered(wanted).slice(0, 100),
        what,
      )
    }
  } finally {
    await server.close()
  }
}

/** By block and hash; the archive has the rewards of a transaction in the order of its list. */
function ordered(rewards: readonly ExactRecord[]): readonly ExactRecord[] {
  const compare = (a: ExactRecord, b: ExactRecord) =>
    Number((a.block as bigint) - (b.block as bigint)) ||
    Buffer.compare(Buffer.from(String(a.transaction_hash)), Buffer.from(String(b.transaction_hash)))
  return [...rewards].sort(compare)
}
