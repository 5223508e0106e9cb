import { describe, expect, it } from 'vitest'
import { MOST_NAMES, TableCoverage } from '../../src/answers/coverage/coverage.ts'
import type { ManifestOfFiles } from '../../src/answers/coverage/epochs.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { compact } from '../../src/write/compact/compact.ts'
import {
  at,
  dayBefore,
  iotShare,
  type MadeLake,
  makeLake,
  type OracleFiles,
} from '../support/lakes/make-lake.ts'
import { openTestWriter } from '../support/open-test-writer.ts'

/** Two files of the epoch that ends on 1 February 2025, two of the next, and so on; `day` is that of the end. */
const fileOf = (day: number, part = 1) => `iot_reward_share.20250${200 + day}${part}.gz`
const dateOf = (day: number) => `2025-02-${String(day).padStart(2, '0')}`
const midnight = (day: number) => at(`${dateOf(day)}T00:00:00Z`)

function filesOf(days: readonly number[], parts: readonly number[] = [1, 2]): OracleFiles {
  const share = (day: number) => [
    iotShare({ ...dayBefore(dateOf(day)), reward_type: 'operational_reward', amount: 5n }),
  ]
  return Object.fromEntries(
    days.flatMap((day) => parts.map((part) => [`iot/${fileOf(day, part)}`, share(day)])),
  )
}

const iotToken = 'iot_reward_token_iot'
function manifestOf(day: number, more: Partial<ManifestOfFiles> = {}): ManifestOfFiles {
  const written_files = [fileOf(day, 1), fileOf(day, 2)]
  const end_timestamp = midnight(day)
  const start_timestamp = end_timestamp - 86_400_000_000n
  return { written_files, start_timestamp, end_timestamp, reward_type: 'iot', token: iotToken, ...more }
}

async function coverageOf(
  { folder }: MadeLake,
  manifests: readonly ManifestOfFiles[],
  committedAt = Number(midnight(6) / 1000n),
): Promise<TableCoverage> {
  const table = (await new Lake(folder).latest()).table(iotRewardShares)
  return new TableCoverage(table, manifests, committedAt)
}

const range = (from: number, to: number) => ({ from: midnight(from), to: midnight(to) })
const run = (first: string, last: string, days: number) => ({ first, last, days })
const oneDay = (date: string) => run(date, date, 1)

/** All epochs that end on the days given, whole, with a manifest each. */
const whole = {
  from: '2025-02-02T00:00:00Z',
  to: '2025-02-05T00:00:00Z',
  epochs: {
    expected: 4,
    present: 4,
    newest: '2025-02-04',
    missing: [],
    incomplete: [],
    late: [],
    unreadable: [],
  },
  manifests: { missing: [] },
  files: {
    missing: { count: 0, names: [] },
    without_manifest: { count: 0, names: [] },
    unreadable: { count: 0, names: [] },
  },
  tokens: [iotToken],
  mixes_tokens: false,
}

describe('the coverage of a table over a range', () => {
  it('has no gaps if every epoch has its files and its manifest', async () => {
    const coverage = await coverageOf(
      await makeLake(filesOf([2, 3, 4, 5])),
      [2, 3, 4, 5].map((day) => manifestOf(day)),
    )
    expect(coverage.over(range(2, 5))).toEqual(whole)
    expect(coverage.missing(range(2, 5))).toEqual({ days: 0, manifests: 0 })
    expect([coverage.extent, coverage.newest]).toEqual([range(2, 5), midnight(5)])
  })

  it('names a missing day by the day that was paid, not by that on which its period ends', async () => {
    const manifests = [2, 3, 5].map((day) => manifestOf(day))
    const coverage = await coverageOf(await makeLake(filesOf([2, 3, 5])), manifests)
    expect(coverage.over(range(2, 5)).epochs).toEqual({
      ...whole.epochs,
      present: 3,
      missing: [oneDay('2025-02-03')],
    })
    expect(coverage.missing(range(2, 5))).toEqual({ days: 1, manifests: 0 })
    expect(coverage.missing(range(2, 3))).toEqual({ days: 0, manifests: 0 })
    expect(coverage.missing({ from: midnight(4), to: midnight(4) })).toEqual({ days: 1, manifests: 0 })
  })

  it('counts epochs of 36 hours on the day of their middle, and misses no day that they reach over', async () => {
    const ends = [
      '2025-02-02T00:00:00Z',
      '2025-02-03T12:00:00Z',
      '2025-02-05T00:00:00Z',
      '2025-02-06T00:00:00Z',
    ]
    const starts = ['2025-02-01T00:00:00Z', ...ends]
    const files = ends.map((_, place) => fileOf(place + 2, 1))
    const shares = ends.map((end, place) => [
      iotShare({
        ...{ start_period: at(starts[place] ?? ''), end_period: at(end) },
        ...{ reward_type: 'operational_reward', amount: 5n },
      }),
    ])
    const lake = await makeLake(
      Object.fromEntries(files.map((file, place) => [`iot/${file}`, shares[place] ?? []])),
    )
    const manifests = ends.map((end, place) =>
      manifestOf(2, {
        written_files: [files[place] ?? ''],
        ...{ start_timestamp: at(starts[place] ?? ''), end_timestamp: at(end) },
      }),
    )
    const coverage = await coverageOf(lake, manifests)
    expect(coverage.over(range(2, 6)).epochs).toEqual({
      ...whole.epochs,
      newest: '2025-02-05',
    })
    // The range of ends of 2025-02-02, as lists of that day have it.
    const ofSecond = { from: at('2025-02-02T12:00:00Z'), to: at('2025-02-03T12:00:00Z') }
    expect(coverage.missing(ofSecond)).toEqual({ days: 0, manifests: 0 })
    expect(coverage.over(ofSecond).epochs).toMatchObject({ expected: 1, present: 1, missing: [] })
    const withoutThird = await coverageOf(
      await makeLake(
        Object.fromEntries(
          files.flatMap((file, place) => (place === 2 ? [] : [[`iot/${file}`, shares[place] ?? []]])),
        ),
      ),
      manifests.filter((_, place) => place !== 2),
    )
    expect(withoutThird.over(range(2, 6)).epochs.missing).toEqual([oneDay('2025-02-04')])
    const [, second, ...rest] = manifests
    const halved = { ...(second as ManifestOfFiles), written_files: [files[1] ?? '', fileOf(3, 2)] }
    const { epochs } = (await coverageOf(lake, [halved, ...rest])).over(range(2, 6))
    expect(epochs.incomplete).toEqual([oneDay('2025-02-02')])
  })

  it('lists days with only unreadable files as missing, and names these files', async () => {
    const old = 'gateway_reward_share.1738540860000.gz'
    const manifests = [2, 4].map((day) => manifestOf(day))
    const coverage = await coverageOf(await makeLake(filesOf([2, 4])), [
      ...manifests,
      manifestOf(3, { written_files: [old] }),
      // Another network's files of this name are none of this table.
      manifestOf(4, { written_files: ['gateway_reward_share.1.gz'], reward_type: 'mobile' }),
    ])
    const { epochs, files } = coverage.over(range(2, 4))
    expect([epochs.missing, epochs.unreadable]).toEqual([[oneDay('2025-02-02')], [oneDay('2025-02-02')]])
    expect([files?.missing.count, files?.unreadable]).toEqual([0, { count: 1, names: [old] }])
    expect(coverage.missing(range(2, 4)).days).toBe(1)
  })

  it('finds a missing newest day by its manifest, and names the files', async () => {
    const manifests = [2, 3, 4, 5].map((day) => manifestOf(day))
    const coverage = await coverageOf(await makeLake(filesOf([2, 3, 4])), manifests, 0)
    expect(coverage.over(range(2, 5))).toEqual({
      ...whole,
      epochs: { ...whole.epochs, present: 3, newest: '2025-02-03', missing: [oneDay('2025-02-04')] },
      files: { ...whole.files, missing: { count: 2, names: [fileOf(5, 1), fileOf(5, 2)] } },
    })
    expect([coverage.extent, coverage.newest]).toEqual([range(2, 5), midnight(4)])
  })

  it('lacks days of a range that the lake does not reach, up to its newest commit', async () => {
    const coverage = await coverageOf(
      await makeLake(filesOf([3, 4])),
      [3, 4].map((day) => manifestOf(day)),
    )
    expect(coverage.over(range(1, 28)).epochs).toEqual({
      ...{ expected: 6, present: 2, newest: '2025-02-03', unreadable: [], incomplete: [], late: [] },
      missing: [run('2025-01-31', '2025-02-01', 2), run('2025-02-04', '2025-02-05', 2)],
    })
    expect(coverage.missing(range(1, 28))).toEqual({ days: 4, manifests: 0 })
    expect(coverage.missing(range(7, 28))).toEqual({ days: 0, manifests: 0 })
  })

  it('has days and times of four-digit years for any offset', async () => {
    const coverage = await coverageOf(
      await makeLake(filesOf([3, 4])),
      [3, 4].map((day) => manifestOf(day)),
    )
    const fourteenHours = 14n * 3_600_000_000n
    const beyond = {
      from: at('0000-01-01T00:00:00Z') - fourteenHours,
      to: at('9999-12-31T23:59:59Z') + fourteenHours,
    }
    const { from, to, epochs } = coverage.over(beyond)
    expect([from, to]).toEqual(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'])
    const days = (Date.parse('2025-02-02') - Date.parse('0000-01-01')) / 86_400_000
    expect(epochs.missing[0]).toEqual(run('0000-01-01', '2025-02-01', days))
    expect(coverage.missing(beyond).days).toBe(epochs.expected - epochs.present)
  })

  it('reports a day as incomplete if one of its files is missing', async () => {
    const lake = await makeLake({ ...filesOf([2, 4, 5]), ...filesOf([3], [1]) })
    const coverage = await coverageOf(
      lake,
      [2, 3, 4, 5].map((day) => manifestOf(day)),
    )
    expect(coverage.over(range(2, 5))).toEqual({
      ...whole,
      epochs: { ...whole.epochs, incomplete: [oneDay('2025-02-02')] },
      files: { ...whole.files, missing: { count: 1, names: [fileOf(3, 2)] } },
    })
    expect(coverage.missing(range(2, 5))).toEqual({ days: 1, manifests: 0 })
    expect(coverage.missing(range(4, 5))).toEqual({ days: 0, manifests: 0 })
  })

  it('counts a missing manifest once, and names the files that none names', async () => {
    const coverage = await coverageOf(
      await makeLake(filesOf([2, 3, 4, 5])),
      [2, 4, 5].map((day) => manifestOf(day)),
    )
    expect(coverage.over(range(2, 5))).toEqual({
      ...whole,
      manifests: { missing: [oneDay('2025-02-02')] },
      files: { ...whole.files, without_manifest: { count: 2, names: [fileOf(3, 1), fileOf(3, 2)] } },
    })
    expect(coverage.missing(range(2, 5))).toEqual({ days: 0, manifests: 1 })
    expect(coverage.missing(range(4, 5))).toEqual({ days: 0, manifests: 0 })
  })

  it('reports a day as late if one of its files came after a later day, but not if it came in turn', async () => {
    const lake = await makeLake({ ...filesOf([2]), ...filesOf([3], [1]) })
    await lake.add(filesOf([4, 5]))
    await lake.add(filesOf([3], [2]))
    const coverage = await coverageOf(
      lake,
      [2, 3, 4, 5].map((day) => manifestOf(day)),
    )
    expect(coverage.over(range(2, 5))).toEqual({
      ...whole,
      epochs: { ...whole.epochs, late: [oneDay('2025-02-02')] },
    })
    expect(coverage.missing(range(2, 5))).toEqual({ days: 0, manifests: 0 })
  })

  it('still reports a late day after its files were compacted', async () => {
    const lake = await makeLake(filesOf([2, 4, 5]))
    await lake.add(filesOf([3]))
    const [february] = await compact({ lake: lake.folder, openWriter: openTestWriter, months: ['2025-02'] })
    expect(february).toMatchObject({ filesBefore: 2, filesAfter: 1 })
    expect((await coverageOf(lake, [])).over(range(2, 5)).epochs.late).toEqual([oneDay('2025-02-02')])
  })

  it('reports mixed tokens if manifests of the range name several', async () => {
    const main = 'iot_reward_token_main'
    const manifests = [
      manifestOf(2),
      manifestOf(3),
      manifestOf(4, { token: main }),
      manifestOf(5, { token: main }),
    ]
    const coverage = await coverageOf(await makeLake(filesOf([2, 3, 4, 5])), manifests)
    const tokensOver = (from: number, to: number) => {
      const { tokens, mixes_tokens } = coverage.over(range(from, to))
      return [tokens, mixes_tokens]
    }
    expect(tokensOver(2, 5)).toEqual([[iotToken, main], true])
    expect(tokensOver(2, 3)).toEqual([[iotToken], false])
    expect(tokensOver(4, 5)).toEqual([[main], false])
  })

  it('counts a file without rows as a day without rewards', async () => {
    const lake = await makeLake({ ...filesOf([2, 4, 5]), [`iot/${fileOf(3)}`]: [] })
    const manifests = [
      manifestOf(2),
      manifestOf(3, { written_files: [fileOf(3)] }),
      manifestOf(4),
      manifestOf(5),
    ]
    expect((await coverageOf(lake, manifests)).over(range(2, 5))).toEqual(whole)
  })

  it('assigns a period that ends after midnight to the day of its middle', async () => {
    const end = at('2025-02-03T01:30:00Z')
    const period = { start_period: end - 86_400_000_000n, end_period: end }
    const share = iotShare({ ...period, reward_type: 'operational_reward', amount: 5n })
    const lake = await makeLake({ ...filesOf([2, 4]), 'iot/iot_reward_share.1.gz': [share] })
    const { epochs } = (await coverageOf(lake, [])).over(range(2, 4))
    expect(epochs).toMatchObject({ expected: 3, present: 3, missing: [] })
    expect((await coverageOf(lake, [])).missing(range(2, 3))).toEqual({ days: 0, manifests: 1 })
  })

  it('ignores manifests of the other network', async () => {
    const manifests = [2, 3, 4, 5].map((day) => manifestOf(day))
    const other = manifestOf(3, { reward_type: 'mobile', written_files: ['mobile_reward_share.1.gz'] })
    const lake = await makeLake(filesOf([2, 3, 4, 5]))
    expect((await coverageOf(lake, [...manifests, other])).over(range(2, 5))).toEqual(whole)
    const table = (await new Lake(lake.folder).latest()).table(mobileRewardShares)
    expect(new TableCoverage(table, [other], 0).over(range(2, 5)).files?.missing.names).toEqual([
      'mobile_reward_share.1.gz',
    ])
  })

  it('counts all names of files, and lists the first', async () => {
    const many = Array.from({ length: MOST_NAMES + 20 }, (_, part) => `iot_reward_share.${1000 + part}.gz`)
    const coverage = await coverageOf(await makeLake(filesOf([2])), [manifestOf(2, { written_files: many })])
    const { files } = coverage.over(range(2, 2))
    expect(files?.missing).toEqual({ count: MOST_NAMES + 20, names: many.slice(0, MOST_NAMES) })
    expect(files?.without_manifest.count).toBe(2)
  })

  it('is empty for a missing table', async () => {
    const { folder } = await makeLake(filesOf([2]))
    const coverage = new TableCoverage((await new Lake(folder).latest()).table(mobileRewardShares), [])
    expect([coverage.extent, coverage.newest]).toEqual([undefined, undefined])
    expect(coverage.missing(range(2, 5))).toEqual({ days: 0, manifests: 0 })
  })
})
