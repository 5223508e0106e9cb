import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sampleCommands } from '../../scripts/prepare.mjs'
import { openBrowser } from '../../test/support/servers/browser.ts'
import { ingestNetwork } from '../support/make-lake.ts'
import { networkSizes, quickTry, type Workload } from '../support/network.ts'
import { spreadOf } from '../support/percentiles.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ExplorerCase, explorerTable } from './table.ts'
import { type Visit, visit } from './visit.ts'

/**
 * What pages of the explorer weigh, and how soon they show a chart, in a browser that has nothing of them yet. Their sums are first
 * compared with SQL over the same files. `--lake` takes a lake of the size that is there already.
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    size: { type: 'string', default: 'M' },
    lake: { type: 'string' },
    rounds: { type: 'string', default: '9' },
  },
})
const sizes = new Map<string, Workload>(Object.entries(networkSizes))
const large = flags.small ? quickTry : sizes.get(flags.size)
if (large === undefined) throw new Error(`--size is ${flags.size}; use small, S, M or L`)
const sample: Workload = { name: 'sample', days: 30, hotspots: 3000, seed: '1' }
const parent = temporaryFolder()
const cases: ExplorerCase[] = []

const network = join(parent, 'network')
for (const args of sampleCommands(network)) await runToEnd([program, ...args])
const sampleLake = join(parent, 'sample-lake')
await runToEnd([program, 'ingest', network, '--lake', sampleLake])
await measure(sample, sampleLake)
await measure(large, flags.lake ?? (await ingestNetwork(parent, large)))
report(resultOf('explorer', [sample, large], cases), explorerTable(cases), !flags.small)

async function measure({ name }: Workload, lake: string): Promise<void> {
  const server = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
  const browser = await openBrowser()
  const top = await topHotspots(server.address)
  const pages = [
    { page: 'network', path: '/', keys: [] },
    { page: 'hotspot', path: `/hotspot/${top[0]}`, keys: top.slice(0, 1) },
    { page: '20 hotspots', path: `/fleet?keys=${top}`, keys: top },
  ]
  for (const { page, path, keys } of pages) {
    await check(lake, await visit(browser, server.address + path), keys)
    const visits: Visit[] = []
    while (visits.length < Number(flags.rounds)) visits.push(await visit(browser, server.address + path))
    const chartMs = visits.map((one) => one.chartMs)
    const { requests, fileBytes, replyBytes } = visits[0] as Visit
    cases.push({ page, network: name, requests, fileBytes, replyBytes, chart: spreadOf(chartMs), chartMs })
  }
  await browser.close()
  await server.stop()
}

/** The hotspots that earned most IoT rewards. */
async function topHotspots(address: string): Promise<readonly string[]> {
  const query = 'from=2000-01-01&to=2100-01-01&interval=all&group_by=hotspot&limit=20'
  const reply = await fetch(`${address}/v1/net/l2/iot-reward-shares/totals/series?${query}`)
  const { records } = (await reply.json()) as { readonly records: readonly { readonly group: string }[] }
  return [...new Set(records.map(({ group }) => group))].slice(0, 20)
}

/** Throws unless the sums on a page are those of its days and hotspots. */
async function check(lake: string, { days: [first, last], units }: Visit, keys: readonly string[]) {
  const whose = keys.length === 0 ? '' : `AND hotspot_key IN (${keys.map((key) => `'${key}'`)})`
  const sumOf = async (view: string) => {
    const select = `SELECT coalesce(sum(earned), 0)::VARCHAR AS sum FROM ${view} WHERE day BETWEEN '${first}' AND '${last}' ${whose}`
    const { stdout } = await runToEnd([program, 'sql', '--lake', lake, '--format', 'csv', select])
    return BigInt(stdout.trim().split('\n')[1]?.trim() ?? '')
  }
  deepStrictEqual(units, { IoT: await sumOf('iot_rewards'), Mobile: await sumOf('mobile_rewards') })
}
