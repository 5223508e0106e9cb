import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { craftShares, type Step } from '../kills/inputs.ts'
import { sumSources } from '../kills/visible.ts'
import { hotspot, iotReward, manifest, writeOracleFiles } from '../make-lake.ts'
import { readSource } from '../oracle-rows.ts'

/** As little as an ingest can take in that commits to several tables and months, so that a point takes a moment. */

const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz']
export const RANGE = { from: '2025-01-01', to: '2025-03-01' }
export const HOTSPOTS = [1, 2, 3].map((number) => hotspot(number).text)

async function oracleFile(folder: string, name: string, messages: readonly Uint8Array[], table: string) {
  await writeOracleFiles(folder, { [name]: messages })
  return sumSources(table, readSource(join(folder, name)).rows)
}

const big = 2n ** 60n

/**
 * Three ingests, each on top of the one before: two months, a manifest and a refused message; another file; other bytes
 * for the first. Amounts reach beyond the whole numbers of a double.
 */
export async function makeTinySteps(folder: string): Promise<readonly [Step, Step, Step]> {
  const [first, second, other] = ['first', 'second', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const own of [first, second, other]) mkdirSync(own, { recursive: true })
  const paid = (date: string) =>
    [1, 2, 3].map((number) =>
      iotReward(date, number, { beacon_amount: big + BigInt(number), witness_amount: 7n }),
    )
  const shares = await oracleFile(
    first,
    'iot_reward_share.1738300000000.gz',
    [...paid('2025-01-30'), ...paid('2025-02-02')],
    'iot_reward_shares',
  )
  const written = { written_files: [a], epoch: 20_119n, reward_type: 'iot', token: 'iot_reward_token_main' }
  const manifests = await oracleFile(
    first,
    'reward_manifest.1738371600003.gz',
    [manifest(written)],
    'reward_manifests',
  )
  const craftedA = craftShares(join(first, a), a, [big, null, big + 2n])
  const craftedB = craftShares(join(second, b), b, [5n, 6n])
  const otherA = craftShares(join(other, a), a, [null, big + 9n])

  const one = [...shares, ...manifests, ...craftedA]
  const two = [...one, ...craftedB]
  return [
    { name: 'first files', args: [first], sources: one },
    { name: 'another file', args: [first, second], sources: two },
    {
      name: 'other bytes',
      args: [other, '--replace'],
      sources: [...two.filter(({ name }) => name !== a), ...otherA],
    },
  ]
}
