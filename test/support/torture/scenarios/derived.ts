import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openServices } from '../../../../src/services/services.ts'
import { readSettings } from '../../../../src/settings/settings.ts'
import { writeSampleLedger } from '../../../../src/write/sample/ledger/write-ledger.ts'
import { readArchive } from '../../archive/records.ts'
import { buildTestServer } from '../../build-test-server.ts'
import type { ExactRow } from '../../delta-table.ts'
import { readExact } from '../../exact-json.ts'
import { filesBelow } from '../../leftovers.ts'
import { readSource } from '../../oracle-rows.ts'
import { type Ended, must } from '../../run-main.ts'
import { lakeIn } from '../lake-checks.ts'
import { INPUT, type Scenario, SMALL } from '../scenario.ts'
import { HOTSPOTS, makeTinySteps, RANGE } from '../tiny-steps.ts'

/** What is derived from a lake: the index by hotspot, row indexes, sums of offloaded bytes. */

const amounts = ['beacon_amount', 'witness_amount', 'dc_transfer_amount'] as const

type Totals = Readonly<Record<(typeof amounts)[number], bigint>>

/** What each hotspot was paid, added up from the messages. */
function paidBy(rows: readonly ExactRow[]): ReadonlyMap<string, Totals> {
  const paid = new Map<string, Totals>()
  for (const row of rows) {
    if (typeof row.hotspot_key !== 'string') continue
    const known = paid.get(row.hotspot_key)
    const sums = amounts.map((name) => [
      name,
      (known?.[name] ?? 0n) + ((row[name] as bigint | undefined) ?? 0n),
    ])
    paid.set(row.hotspot_key, Object.fromEntries(sums) as Totals)
  }
  return paid
}

async function build(folder: string): Promise<Ended> {
  const lake = lakeIn(folder)
  const settings = readSettings(
    {},
    { lake, engine_threads: '1', ingest_memory_mb: '64', engine_memory_mb: '64' },
  )
  const errors: string[] = []
  try {
    const services = await openServices(settings, { worthwhileRows: 1 })
    try {
      for (const one of services.derived)
        await one.build(await services.lake.latest()).catch((error: Error) => errors.push(error.message))
    } finally {
      await services.close()
    }
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error))
  }
  return {
    code: errors.length === 0 ? 0 : 4,
    stdout: '',
    stderr: errors.map((text) => `ledgerlake: ${text}\n`).join(''),
  }
}

export function buildingDerived(): Scenario {
  let paid: ReadonlyMap<string, Totals>
  let accounts: ReadonlyMap<string, number>
  let complete: readonly string[]

  /** Totals of every hotspot, and the number of rewards of some accounts, as a server answers them. */
  async function checkAnswers(folder: string): Promise<void> {
    const server = await buildTestServer(lakeIn(folder))
    try {
      for (const [key, sums] of paid) {
        const range = new URLSearchParams(RANGE)
        const { status, text } = await server.get(`/l2/iot-reward-shares/totals?${range}&hotspot_key=${key}`)
        assert.equal(status, 200, text)
        const answered = readExact<Record<string, bigint>>(text)
        for (const name of amounts) assert.equal(answered[`total_${name}`], sums[name], `${name} of ${key}`)
      }
      for (const [account, rewards] of accounts) {
        const { status, text } = await server.get(`/l1/rewards?account_address=${account}&per_page=1`)
        assert.equal(status, 200, text)
        const { meta } = readExact<{ meta: { total_pages: bigint } }>(text)
        assert.equal(meta.total_pages, BigInt(rewards), `rewards of ${account}`)
      }
    } finally {
      await server.close()
    }
  }

  const stateOf = (folder: string) =>
    filesBelow(join(lakeIn(folder), '_state'))
      .map((path) => path.replaceAll(/[0-9a-f]{16,}/g, '#'))
      .sort()

  return {
    name: 'building what is derived',
    async prepare(folder) {
      const input = join(folder, INPUT)
      mkdirSync(input)
      const [step] = await makeTinySteps(join(input, 'oracles'))
      await writeSampleLedger({
        out: join(input, 'ledger'),
        seed: 7,
        hotspots: 5,
        transactions: 100,
        partRows: 100,
      })
      const paths = [...step.args, join(input, 'ledger')]
      await must('ingest', ...paths, '--lake', lakeIn(folder), ...SMALL)
      paid = paidBy(readSource(join(input, 'oracles/first/iot_reward_share.1738300000000.gz')).rows)
      assert.deepEqual([...paid.keys()].sort(), [...HOTSPOTS].sort())
      const counts = new Map<string, number>()
      for (const { record } of readArchive(join(input, 'ledger'), 'rewards')) {
        const account = String(record.account_address)
        counts.set(account, (counts.get(account) ?? 0) + 1)
      }
      accounts = new Map([...counts].slice(0, 3))
      assert.ok(accounts.size > 0, 'there are no rewards')
      complete = []
    },
    act: build,
    check: (folder) => checkAnswers(folder),
    async checkEnd(folder) {
      await checkAnswers(folder)
      const state = stateOf(folder)
      if (complete.length === 0) complete = state
      assert.ok(state.length > 2, 'nothing was derived')
      assert.deepEqual(state, complete, 'the state folder is not as after a build that nothing disturbed')
    },
  }
}
