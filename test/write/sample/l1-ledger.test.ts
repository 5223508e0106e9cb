import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerOptions, ledgerOf } from '../../../src/write/sample/ledger/ledger.ts'
import {
  type LedgerSummary,
  partLetters,
  writeSampleLedger,
} from '../../../src/write/sample/ledger/write-ledger.ts'
import { makeFolder, temporaryFolder } from '../../support/temporary-folder.ts'

const options = { transactions: 400, hotspots: 100, seed: 3 } as const

async function digestsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const digests = files.map(async (path) => {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    return [path.slice(folder.length + 1), digest]
  })
  return Object.fromEntries(await Promise.all(digests))
}

async function textOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort()
  const texts = names.map(async (name) => gunzipSync(await readFile(join(folder, name))).toString())
  return (await Promise.all(texts)).join('')
}

describe('a made-up ledger', () => {
  let made: { folder: string; remove: () => Promise<void> }
  let summary: LedgerSummary

  beforeAll(async () => {
    made = await makeFolder()
    summary = await writeSampleLedger({ ...options, out: made.folder })
  })
  afterAll(() => made.remove())

  it('sizes all its tables by the number of transactions', () => {
    expect(summary.rows).toEqual({
      transactions: 400,
      transaction_actors: 1600,
      packets: 400,
      rewards: 1600,
      dc_burns: 400,
      account_inventory: 80,
      gateway_inventory: 80,
    })
  })

  it('has the folders and names of the archive', async () => {
    const folders = Object.keys(summary.rows)
    const expected = folders.map((folder) => `blockchain-etl-export/${folder}/data_xaa.csv.gz`).sort()
    expect(Object.keys(await digestsOf(made.folder)).sort()).toEqual(expected)
    expect(summary.files).toBe(7)
  })

  it('has the same bytes for the same seed in any notation, and others for another seed', async () => {
    const digests = await digestsOf(made.folder)
    const again = await temporaryFolder()
    await writeSampleLedger({ ...options, seed: '3', out: again })
    expect(await digestsOf(again)).toEqual(digests)
    const other = await temporaryFolder()
    await writeSampleLedger({ ...options, seed: 4, out: other })
    const changed = Object.entries(await digestsOf(other)).filter(
      ([name, digest]) => digests[name] !== digest,
    )
    expect(changed).toHaveLength(7)
  })

  it('has the same rows in parts, and only the first part has the header', async () => {
    const parts = await temporaryFolder()
    const { rows } = await writeSampleLedger({ ...options, out: parts, partRows: 300 })
    expect(rows).toEqual(summary.rows)
    for (const folder of ['transactions', 'rewards', 'gateway_inventory']) {
      const own = join(parts, 'blockchain-etl-export', folder)
      expect(await textOf(own)).toBe(await textOf(join(made.folder, 'blockchain-etl-export', folder)))
    }
    const rewards = await readdir(join(parts, 'blockchain-etl-export', 'rewards'))
    expect(rewards.sort()).toEqual(
      ['xaa', 'xab', 'xac', 'xad', 'xae', 'xaf'].map((part) => `data_${part}.csv.gz`),
    )
  })

  it('leaves no unfinished file when one cannot be renamed', async () => {
    const out = await temporaryFolder()
    await mkdir(join(out, 'blockchain-etl-export', 'rewards', 'data_xaa.csv.gz'), { recursive: true })
    await expect(writeSampleLedger({ ...options, out })).rejects.toThrow('EISDIR')
    expect(Object.keys(await digestsOf(out)).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('the parts of a table', () => {
  it('have the names of the program split, in order', () => {
    expect([0, 25, 26, 649].map((part) => partLetters(part))).toEqual(['aa', 'az', 'ba', 'yz'])
    expect([650, 651, 650 + 16_899, 650 + 16_900].map((part) => partLetters(part))).toEqual([
      'zaaa',
      'zaab',
      'zyzz',
      'zzaaaa',
    ])
  })
})

describe('the options of a ledger', () => {
  it('default to the years of the real chain and the ratios of a large sample', () => {
    expect(ledgerOf({ transactions: 5_000_000, hotspots: 1_000_000, seed: 1 })).toEqual({
      seed: '1',
      blocks: 1_820_000,
      transactions: 5_000_000,
      accounts: 1_000_000,
      gateways: 800_000,
      hotspots: 1_000_000,
      partRows: 3_000_000,
      epochs: 6061,
      start: Date.UTC(2019, 6, 29) / 1000,
    })
  })

  it('have at most as many accounts as the real network, and one for each owner of hotspots', () => {
    expect(ledgerOf({ transactions: 100_000_000, hotspots: 10, seed: 1 })).toMatchObject({
      accounts: 1_000_000,
      gateways: 8,
    })
    expect(ledgerOf({ transactions: 100, hotspots: 1000, seed: 1 })).toMatchObject({
      accounts: 600,
      gateways: 800,
    })
  })

  const wrong: readonly (readonly [Partial<LedgerOptions>, string])[] = [
    [{ transactions: 99 }, 'transactions is 99; use a whole number from 100 to 999999999'],
    [{ transactions: 1.5e3 + 0.5 }, 'transactions is 1500.5; use a whole number from 100 to 999999999'],
    [{ blocks: 29 }, 'blocks is 29; use a whole number from 30 to 100000000'],
    [{ hotspots: 0 }, 'hotspots is 0; use a whole number from 1 to 1000000'],
    [{ partRows: 99 }, 'part-rows is 99; use a whole number from 100 to 999999999'],
    [{ start: '2025-02-30' }, 'start is "2025-02-30"; use a day since 1970 as YYYY-MM-DD'],
    [
      { start: '9999-01-01' },
      'start is "9999-01-01" and blocks is 1820000; the chain must end before the year 10000',
    ],
  ]
  it.each(wrong)('refuse %o', (own, sentence) => {
    expect(() => ledgerOf({ ...options, ...own })).toThrow(sentence)
  })
})
