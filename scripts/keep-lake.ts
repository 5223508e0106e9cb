import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { mobileRewardTypes } from '../src/catalog/l2/mobile-reward-shares.ts'
import { Lake } from '../src/lake/snapshot/lake.ts'
import { smallNetwork } from '../test/support/fixtures.ts'
import { deriveAll } from '../test/support/lakes/derive-all.ts'
import { craftArtifact } from '../test/support/messages/craft-artifacts.ts'
import { keepAnswers } from '../test/support/pages.ts'
import { askGraphql } from '../test/support/servers/ask-graphql.ts'
import { buildTestServer } from '../test/support/servers/build-test-server.ts'
import { root } from './prepare.mjs'

/**
 * Keeps a lake of this build as a fixture, with its answers: `tsx scripts/keep-lake.ts FOLDER`, after a build.
 * Run it when the number of the data format changes, and commit the folder; later builds must go on from it.
 * The last of the four epochs of the small network is left out, for those builds to ingest.
 */

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('the folder to write is missing')
const work = mkdtempSync(join(tmpdir(), 'ledgerlake-keep-'))
const lake = join(target, 'lake')
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

const program = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'bin/ledgerlake'), ...args, '--lake', lake], {
    encoding: 'utf8',
  })

/** Epochs of the small network, from 0, as a folder. */
function epochs(first: number, last: number): string {
  const folder = mkdtempSync(join(work, 'epochs-'))
  const isAmong = (path: string) => {
    const epoch = (Number(basename(path).split('.')[1]) - 1_738_110_600_000) / 86_400_000
    return !path.endsWith('.gz') || (epoch >= first && epoch < last + 1)
  }
  cpSync(join(smallNetwork, 'oracle'), folder, { recursive: true, filter: isAmong })
  return folder
}

// One row is refused; two rows of March close the months before, so that they can be compacted.
const day = { start_period: 1_740_787_200_000_000n, end_period: 1_740_873_600_000_000n }
const made = join(work, 'made')
mkdirSync(made)
craftArtifact(made, 'iot_reward_share', 1_740_877_200_001, [
  { ...day, reward_type: 'operational_reward', amount: 2n ** 63n + 1n },
  { ...day, end_period: day.start_period, reward_type: 'operational_reward', amount: 1n },
])
craftArtifact(made, 'mobile_reward_share', 1_740_877_200_002, [
  {
    ...day,
    reward_type: 'subscriber_reward',
    subscriber_id: Buffer.from('a subscriber'),
    discovery_location_amount: 2n ** 60n,
  },
])
const makers = readFileSync(`${smallNetwork}/l2/makers.ndjson`, 'utf8').split('\n')
const renamed = join(work, 'makers-renamed.ndjson')
writeFileSync(renamed, `${JSON.stringify({ ...JSON.parse(makers[0] ?? ''), name: 'Renamed' })}\n`)

const snapshots: string[] = []
for (const words of [
  ['ingest', epochs(0, 0), `${smallNetwork}/l2/makers.ndjson`],
  ['ingest', epochs(1, 1), `${smallNetwork}/l2`, `${smallNetwork}/l1-archive`],
  ['ingest', epochs(2, 2), renamed, made],
  ['compact'],
]) {
  program(...words)
  snapshots.push((await new Lake(lake).latest()).id)
}
await deriveAll(lake)

const keys = ['--keys', join(target, 'keys.ndjson')]
const key = (options: string) =>
  program('keys', 'add', ...options.split(' '), ...keys)
    .trim()
    .split('\n')
    .at(-1)
const secrets = {
  all: key('--name all'),
  limited: key('--name limited --features HotspotData --rate 2 --quota 5 --lookback 30'),
  revoked: key('--name revoked'),
}
writeFileSync(join(target, 'keys.json'), `${JSON.stringify(secrets, null, 2)}\n`)
program('keys', 'revoke', 'revoked', ...keys)

const RANGE = 'from=2025-01-28&to=2025-03-31'
const lists = [
  `/l2/iot-reward-shares?${RANGE}&per_page=20`,
  `/l2/iot-reward-shares?${RANGE}&per_page=20&page=9`,
  `/l2/iot-reward-shares?${RANGE}&per_page=100&integers=string&reward_type=unallocated_reward`,
  `/l2/mobile-reward-shares?${RANGE}&per_page=20`,
  ...mobileRewardTypes.map((type) => `/l2/mobile-reward-shares?${RANGE}&per_page=3&reward_type=${type}`),
  '/l2/makers',
  '/l2/hotspots?per_page=10',
  '/l2/hotspots?per_page=10&networks=mobile&page=2',
  ...['accounts', 'transactions', 'transaction-actors', 'dc-burns', 'gateways', 'packets', 'rewards'].map(
    (list) => `/l1/${list}?per_page=5&page=2`,
  ),
]
const totals = ['iot', 'mobile'].flatMap((network) => [
  `/l2/${network}-reward-shares/totals?${RANGE}`,
  `/l2/${network}-reward-shares/totals?from=2025-01-29&to=2025-01-30&reward_type=gateway_reward`,
])
const graphql = [
  `{ iotRewardShares(startPeriod: "2025-01-28", endPeriod: "2025-03-31", first: 20) { nodes { id hotspotKey amount beaconAmount
  dcTransferAmount witnessAmount startPeriod endPeriod rewardType unallocatedRewardType rewardManifest { price epoch writtenFiles } } pageInfo { hasNextPage endCursor } } }`,
  `{ mobileRewardShares(startPeriod: "2025-01-28", endPeriod: "2025-03-31", first: 20) { nodes { id hotspotKey amount cbsdId
  dcTransferReward pocReward baseRewardShares subscriberId subscriberReward entity rewardType } pageInfo { endCursor } } }`,
  '{ iotWitnessIngestReports(first: 5) { nodes { hotspotKey dataRate frequency } pageInfo { endCursor } } }',
]

const server = await buildTestServer(lake)
const { answers, ask } = keepAnswers(server.get)
async function first(path: string, member: string): Promise<unknown> {
  const body = JSON.parse(await ask(path))
  const [record] = body.objects ?? body.records
  return record[member] ?? record.reward_detail[member]
}
for (const path of [...lists, ...totals]) await ask(path)
for (const network of ['iot', 'mobile']) {
  const list = `/l2/${network}-reward-shares`
  const hotspot = await first(`${list}?${RANGE}&per_page=1&reward_type=gateway_reward`, 'hotspot_key')
  await ask(`${list}?${RANGE}&per_page=100&hotspot_key=${hotspot}`)
  await ask(`${list}/totals?${RANGE}&hotspot_key=${hotspot}`)
}
for (const [list, keyed] of [
  ['/l2/makers', 'address'],
  ['/l2/hotspots', 'asset_id'],
  ['/l2/hotspots', 'ecc_key'],
  ['/l1/accounts', 'address'],
  ['/l1/transactions', 'transaction_hash'],
  ['/l1/gateways', 'address'],
] as const) {
  await ask(`${list}/${await first(`${list}?per_page=1`, 'id')}`)
  await ask(`${list}/${await first(`${list}?per_page=1`, keyed)}`)
}
for (const id of snapshots.slice(0, -1)) {
  for (const path of totals) await ask(`${path}&as_of=${id}`)
  await ask(`/l2/mobile-reward-shares?${RANGE}&per_page=5&page=30&as_of=${id}`)
  await ask(`/l2/makers?as_of=${id}`)
}
const kept = Object.entries(answers).map(([path, body]): object => ({ path, body }))
for (const query of graphql) {
  const { text } = await askGraphql(server.server, query)
  if (text.includes('"errors"')) throw new Error(text)
  kept.push({ graphql: query, body: text })
}
await server.close()
const written = kept.map((answer) => `${JSON.stringify(answer)}\n`).join('')
writeFileSync(join(target, 'answers.ndjson.gz'), gzipSync(written))
writeFileSync(join(target, 'snapshots.json'), `${JSON.stringify(snapshots, null, 2)}\n`)
rmSync(join(lake, '_state', 'spill'), { recursive: true, force: true })
rmSync(work, { recursive: true, force: true })
console.log(`${kept.length} answers, snapshots ${snapshots.join(', ')}`)
