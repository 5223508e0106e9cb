import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { rewardManifests } from '../../../src/catalog/l2/reward-manifests.ts'
import type { RowWriter } from '../../../src/engine/parquet/duckdb-row-writer.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { manifest, writeOracleFiles } from '../../support/lakes/make-lake.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { readEntries } from '../../support/tables/delta-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const months = ['2025-01']

interface Made {
  readonly lake: string
  /** Ingests one share of January under the name of a file. */
  add(file: number, amount: bigint, replace?: boolean): Promise<void>
}

/** A lake with shares of 1, 10 and 100 in three files of January. */
async function lakeOfThree(): Promise<Made> {
  const folder = await temporaryFolder()
  const [input, lake] = [join(folder, 'in'), join(folder, 'lake')]
  mkdirSync(input)
  async function add(file: number, amount: bigint, replace = false): Promise<void> {
    const row = { ...oneDay, reward_type: 'operational_reward', amount }
    const path = craftArtifact(input, 'iot_reward_share', 1738110600000 + file, [row])
    expect(await ingestInto(lake, [path], { replace })).toMatchObject({ stored: 1, failed: [] })
  }
  for (const [file, amount] of [1n, 10n, 100n].entries()) await add(file, amount)
  return { lake, add }
}

/** Does something once, after the first file of a compaction was written. */
function interrupting(work: () => Promise<unknown>): (spillFolder: string) => Promise<RowWriter & Counted> {
  let done = false
  let merged = 0
  return async (spillFolder) => {
    const writer = await openTestWriter(spillFolder)
    return {
      ...writer,
      get merged() {
        return merged
      },
      async copyRanges(...args: Parameters<RowWriter['copyRanges']>) {
        merged += 1
        await writer.copyRanges(...args)
      },
      async inspect(...args: Parameters<RowWriter['inspect']>) {
        const facts = await writer.inspect(...args)
        if (!done) {
          done = true
          await work()
        }
        return facts
      },
    }
  }
}

interface Counted {
  /** Files merged so far. */
  readonly merged: number
}

async function sharesOf(lake: string) {
  const table = (await new Lake(lake).latest()).table(iotRewardShares)
  const { amount } = table.statistics.sums({ from: 0n, to: 2n ** 62n }, ['amount'])
  return { amount, files: table.files.length, sources: table.sources.size }
}

it('a file that is ingested into the same month during a compaction is merged too', async () => {
  const { lake, add } = await lakeOfThree()
  await compact({ lake, months, openWriter: interrupting(() => add(3, 1000n)) })
  expect(await sharesOf(lake)).toEqual({ amount: 1111n, files: 1, sources: 4 })
  expect(leftoversOf(lake)).toEqual([])
})

it('a file that is replaced during a compaction does not come back', async () => {
  const { lake, add } = await lakeOfThree()
  await compact({ lake, months, openWriter: interrupting(() => add(1, 50n, true)) })
  expect(await sharesOf(lake)).toEqual({ amount: 151n, files: 1, sources: 3 })
  expect(leftoversOf(lake)).toEqual([])
})

it('files written for a month are kept when a commit to another month comes first', async () => {
  const { lake } = await lakeOfThree()
  const later = { start_period: 1_740_000_000_000_000n, end_period: 1_740_086_400_000_000n }
  const input = await temporaryFolder()
  const row = { ...later, reward_type: 'operational_reward', amount: 1000n }
  const path = craftArtifact(input, 'iot_reward_share', 1740110600000, [row])
  const writers: Counted[] = []
  const open = interrupting(() => ingestInto(lake, [path]))
  await compact({
    lake,
    months,
    async openWriter(spillFolder) {
      const writer = await open(spillFolder)
      writers.push(writer)
      return writer
    },
  })
  expect(writers.map(({ merged }) => merged)).toEqual([1])
  expect(await sharesOf(lake)).toEqual({ amount: 1111n, files: 2, sources: 4 })
  expect(readEntries(join(lake, 'iot_reward_shares')).map(({ version }) => version)).toEqual([0, 1, 2, 3, 4])
})

it('two compactions at once keep every row exactly once', async () => {
  const { lake } = await lakeOfThree()
  const both = await Promise.all([0, 1].map(() => compact({ lake, months, openWriter: openTestWriter })))
  expect(both.flat().length).toBeGreaterThan(0)
  expect(await sharesOf(lake)).toEqual({ amount: 111n, files: 1, sources: 3 })
  expect(leftoversOf(lake)).toEqual([])
})

it('vacuum and ingest may run during a compaction', async () => {
  const { lake, add } = await lakeOfThree()
  const request = { lake, keepHours: 0, isDryRun: false }
  const meanwhile = () => Promise.all([vacuum(request), vacuum(request), add(3, 1000n)])
  await compact({ lake, months, openWriter: interrupting(meanwhile) })
  expect(await sharesOf(lake)).toEqual({ amount: 1111n, files: 1, sources: 4 })
  await Promise.all([vacuum(request), vacuum(request)])
  expect(await sharesOf(lake)).toEqual({ amount: 1111n, files: 1, sources: 4 })
  expect(leftoversOf(lake)).toEqual([])
})

it('a data file with a flipped bit is named and not rewritten', async () => {
  const { lake } = await lakeOfThree()
  const [first] = (await new Lake(lake).latest()).table(iotRewardShares).files
  const path = first?.path ?? ''
  const bytes = readFileSync(path)
  // A bit of the name of what wrote the file, which no reader looks at.
  const at = bytes.lastIndexOf('DuckDB')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
  await expect(compact({ lake, months, openWriter: openTestWriter })).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(`${path} has SHA-256 `),
  })
  expect((await sharesOf(lake)).files).toBe(3)
  expect(leftoversOf(lake)).toEqual([])
})

it('sources of the same name and different kinds stay in separate files, so that each can still be replaced', async () => {
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  const name = 'reward_manifest.1738110600186.gz'
  for (const [place, network] of ['iot', 'mobile'].entries()) {
    const input = join(folder, String(place))
    const path = `foundation-${network}-verified${network === 'iot' ? '-rewards' : ''}/${name}`
    await writeOracleFiles(input, { [path]: [manifest({ written_files: [network], epoch: BigInt(place) })] })
    expect(await ingestInto(lake, [input])).toMatchObject({ stored: 1 })
  }
  const kinds = [...(await new Lake(lake).latest()).table(rewardManifests).sources.values()].map(
    ({ kind }) => kind,
  )
  expect(new Set(kinds).size).toBe(2)
  expect(await compact({ lake, months, openWriter: openTestWriter })).toEqual([])
})
