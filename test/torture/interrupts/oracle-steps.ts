import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { hotspot, iotReward, manifest, writeOracleFiles } from '../../support/lakes/make-lake.ts'
import {
  dayEnd,
  dayStart,
  frameFile,
  len,
  message,
  operational,
} from '../../support/messages/oracle-messages.ts'
import { makeSteps, rowsOfFile, type Step, type TakenRow, takenRow } from './steps.ts'

const unknownReward = message(len(12, 'a reward of another time'))
const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz']
/** Amounts reach beyond the integers of a double. */
const big = 2n ** 60n

/** A file of operational shares; a null stands for a message that is refused. */
function craftShares(folder: string, name: string, amounts: readonly (bigint | null)[]): readonly TakenRow[] {
  const messages = amounts.map((amount) => (amount === null ? unknownReward : operational(amount)))
  writeFileSync(join(folder, name), frameFile(messages))
  const period = { start_period: BigInt(dayStart) * 1_000_000n, end_period: BigInt(dayEnd) * 1_000_000n }
  return amounts.map((amount, ordinal) => {
    const reject = { source_file: name, ordinal: BigInt(ordinal) }
    return amount === null
      ? takenRow('iot_reward_shares', reject, { table: 'rejects' })
      : takenRow('iot_reward_shares', { ...reject, ...period, amount })
  })
}

const amountsOf = (count: number, amount: (number: bigint) => bigint | null) =>
  Array.from({ length: count }, (_, number) => amount(BigInt(number)))

export async function sampleRows(out: string, start: string, hotspots: number): Promise<readonly TakenRow[]> {
  const paths: string[] = []
  const onFile = (path: string) => paths.push(join(out, path))
  await writeSampleNetwork({ out, days: 2, hotspots, seed: 'kills', start, onFile })
  return paths.flatMap(rowsOfFile)
}

async function oracleFile(folder: string, name: string, messages: readonly Uint8Array[]) {
  await writeOracleFiles(folder, { [name]: messages })
  return rowsOfFile(join(folder, name))
}

/** Days over the end of a month, more days, and other bytes for two files that are in. Some messages of each are refused. */
export async function makeSampleSteps(folder: string, hotspots: number): Promise<readonly Step[]> {
  let day = ''
  return await makeSteps(folder, {
    'first days': async (into) => {
      const rows = await sampleRows(into, '2025-01-30', hotspots)
      day = rows.find(({ kind }) => kind === 'iot_reward_shares')?.name ?? ''
      return [
        ...rows,
        ...craftShares(
          into,
          a,
          amountsOf(50, (n) => (n % 20n === 7n ? null : big + n)),
        ),
      ]
    },
    'more days': async (into) => [
      ...(await sampleRows(into, '2025-02-01', hotspots)),
      ...craftShares(
        into,
        b,
        amountsOf(40, (n) => (n === 0n ? null : n)),
      ),
    ],
    'other bytes': async (into) => [
      ...craftShares(
        into,
        a,
        amountsOf(60, (n) => (n % 30n === 3n ? null : big + 2n * n)),
      ),
      ...craftShares(
        into,
        day,
        amountsOf(30, (n) => n + 1n),
      ),
    ],
  })
}

export const RANGE = { from: '2025-01-01', to: '2025-03-01' }
export const HOTSPOTS = [1, 2, 3].map((number) => hotspot(number).text)
/** In the first of the tiny steps, with shares of all hotspots. */
export const SHARES_FILE = 'iot_reward_share.1738300000000.gz'

/** As little as an ingest can commit to several tables and months, another file, and other bytes for the first. */
export async function makeTinySteps(folder: string): Promise<readonly Step[]> {
  const shares = ['2025-01-30', '2025-02-02'].flatMap((date) =>
    [1, 2, 3].map((number) =>
      iotReward(date, number, { beacon_amount: big + BigInt(number), witness_amount: 7n }),
    ),
  )
  return await makeSteps(folder, {
    'first files': async (into) => [
      ...(await oracleFile(into, SHARES_FILE, shares)),
      ...(await oracleFile(into, 'reward_manifest.1738371600003.gz', [manifestOf(a)])),
      ...craftShares(into, a, [big, null, big + 2n]),
    ],
    'another file': async (into) => craftShares(into, b, [5n, 6n]),
    'other bytes': async (into) => craftShares(into, a, [null, big + 9n]),
  })
}

const manifestOf = (file: string) =>
  manifest({ written_files: [file], epoch: 20_119n, reward_type: 'iot', token: 'iot_reward_token_main' })

/** Manifests of one row each: a commit for every one of them, over the hundredth version. */
export async function makeManyCommits(folder: string): Promise<readonly Step[]> {
  const write = (first: number, last: number) => async (into: string) => {
    const numbers = Array.from({ length: last - first }, (_, place) => 1_738_371_600_000 + first + place)
    const files = numbers.map((number) =>
      oracleFile(into, `reward_manifest.${number}.gz`, [manifestOf(`iot_reward_share.${number}.gz`)]),
    )
    return (await Promise.all(files)).flat()
  }
  return await makeSteps(folder, { '99 commits': write(0, 99), 'the hundredth commit': write(99, 104) })
}
