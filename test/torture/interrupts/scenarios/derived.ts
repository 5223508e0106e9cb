import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openServices } from '../../../../src/services/services.ts'
import { readSettings } from '../../../../src/services/settings/settings.ts'
import { writeSampleLedger } from '../../../../src/write/sample/ledger/write-ledger.ts'
import { readArchive } from '../../../support/archive/records.ts'
import { readExact } from '../../../support/exact-json.ts'
import { filesBelow } from '../../../support/lakes/leftovers.ts'
import { readSource } from '../../../support/messages/oracle-rows.ts'
import { buildTestServer } from '../../../support/servers/build-test-server.ts'
import { type Ended, must } from '../../../support/servers/run-main.ts'
import { HOTSPOTS, RANGE, SHARES_FILE } from '../oracle-steps.ts'
import { growLake, INPUT, lakeIn, type Scenario, SMALL } from '../scenario.ts'
import { addUp, sumsOfRow } from '../sources.ts'

const amounts = ['beacon_amount', 'witness_amount', 'dc_transfer_amount'] as const

/** Builds indexes of tables of any size, and goes on after one that cannot be built. */
async function build(folder: string): Promise<Ended> {
  const lake = lakeIn(folder)
  const flags = { lake, engine_threads: '1', ingest_memory_mb: '64', engine_memory_mb: '64' }
  const errors: string[] = []
  try {
    const services = await openServices(readSettings({}, flags), { worthwhileRows: 1 })
    try {
      for (const one of services.derived)
        await one.build(await services.lake.latest()).catch((error: Error) => errors.push(error.message))
    } finally {
      await services.close()
    }
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error))
  }
  const stderr = errors.map((text) => `ledgerlake: ${text}\n`).join('')
  return { code: errors.length === 0 ? 0 : 4, stdout: '', stderr }
}

/** The index by hotspot, and row indexes. */
export function buildingDerived(): Scenario {
  /** Paths that a server is asked for, and members of its reply by the messages and the archive. */
  const expected = new Map<string, Readonly<Record<string, bigint>>>()
  let complete: readonly string[] = []

  async function checkAnswers(folder: string): Promise<void> {
    const server = await buildTestServer(lakeIn(folder))
    try {
      for (const [path, members] of expected) {
        const { status, text } = await server.get(path)
        assert.equal(status, 200, text)
        const { meta, ...totals } = readExact<{ meta?: object }>(text)
        assert.deepEqual({ ...totals, ...meta, ...members }, { ...totals, ...meta }, path)
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
      const [first] = await growLake(folder, 0)
      const ledger = join(folder, INPUT, 'ledger')
      await writeSampleLedger({ out: ledger, seed: 7, hotspots: 5, transactions: 100, partRows: 100 })
      await must('ingest', ...first.args, ledger, '--lake', lakeIn(folder), ...SMALL)
      const { rows } = readSource(join(first.args[0] ?? '', SHARES_FILE))
      const paid = addUp(rows.map((row) => ({ ...sumsOfRow('', row), name: String(row.hotspot_key) })))
      assert.deepEqual(paid.map(({ name }) => name).sort(), [...HOTSPOTS].sort())
      const totals = `/l2/iot-reward-shares/totals?${new URLSearchParams(RANGE)}&hotspot_key=`
      for (const { name, sums } of paid)
        expected.set(
          totals + name,
          Object.fromEntries(amounts.map((amount) => [`total_${amount}`, sums[amount] ?? 0n])),
        )
      const accounts = readArchive(ledger, 'rewards').map(({ record }) => String(record.account_address))
      for (const account of [...new Set(accounts)].slice(0, 3))
        expected.set(`/l1/rewards?account_address=${account}&per_page=1`, {
          total_pages: BigInt(accounts.filter((one) => one === account).length),
        })
      assert.equal(expected.size, HOTSPOTS.length + 3)
      complete = []
    },
    act: build,
    check: checkAnswers,
    async checkEnd(folder) {
      await checkAnswers(folder)
      const state = stateOf(folder)
      if (complete.length === 0) complete = state
      assert.ok(state.length > 2, 'nothing was derived')
      assert.deepEqual(state, complete, 'the state folder is not as after a build that nothing disturbed')
    },
  }
}
