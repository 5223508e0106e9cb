import { describe, expect, it, onTestFinished } from 'vitest'
import { openLake } from '../../src/services/library/library.ts'
import { bee, header, makeEarningLake, ownerLines } from '../support/earnings/earning-lake.ts'
import { hotspot } from '../support/lakes/make-lake.ts'
import { makeStatementLake } from '../support/statement/made-network.ts'

async function opened(folder: string) {
  const lake = await openLake(folder)
  onTestFinished(() => lake.close())
  return lake
}

const days = { firstDay: '2025-02-13', lastDay: '2025-02-16' }

describe('lake.earnings', () => {
  it('has rows, sums and gaps in camelCase, amounts as text', async () => {
    const lake = await opened((await makeEarningLake()).folder)
    const report = await lake.earnings({ hotspotKeys: ['Furry Linen Bee'], ...days })
    expect(report).toMatchObject({
      ...{ ...days, tz: 'UTC', usd: null, unknownHotspots: [] },
      hotspots: [{ hotspotKey: bee.text, hotspotName: 'Furry Linen Bee' }],
      tokens: [
        { token: 'HNT', amount: '0.000002', usd: '0.000008', usdOfPriced: '0.000008' },
        { token: 'MOBILE', amount: '0.000034', usd: '0.0000000238', usdOfPriced: '0.0000000238' },
      ],
    })
    expect(report.rows).toHaveLength(8)
    expect(report.rows[0]).toMatchObject({ hotspotName: 'Furry Linen Bee', priceUsd: '4.0', state: 'paid' })
    expect(report.missing).toContainEqual({ state: 'data missing', network: 'IoT', dates: ['2025-02-14'] })
  })

  it('is a file in every format of REST, with a name', async () => {
    const lake = await opened((await makeEarningLake()).folder)
    const file = await lake.earningsFile({ owner: 'owner-a', ...days, format: 'csv' })
    const pieces: Uint8Array[] = []
    for await (const piece of file.bytes) pieces.push(piece)
    expect([file.name, file.rows]).toEqual(['owner-owner-a_2025-02-13_2025-02-16.csv', 12])
    expect(Buffer.concat(pieces).toString()).toBe(`${[header, ...ownerLines].join('\n')}\n`)
  })

  it.each([
    [{ hotspotKeys: [], ...days }, 'hotspotKeys has no key'],
    [{ ...days }, 'hotspot_key is missing'],
  ])('%j is refused', async (query, sentence) => {
    const lake = await opened((await makeEarningLake()).folder)
    await expect(lake.earnings(query)).rejects.toMatchObject({
      ...{ code: 'malformed_request', message: expect.stringContaining(sentence) },
    })
  })
})

describe('lake.statement', () => {
  it('takes several owners, hotspots with their days, prices and a language', async () => {
    const lake = await opened((await makeStatementLake()).folder)
    const { summary, files } = await lake.statement({
      ...{ owners: ['owner-a', 'owner-b'], year: 2025, tz: 'Europe/Berlin' },
      hotspotKeys: [`${hotspot(1).text},sold 2025-06-30`],
      prices: ['2025-03-30,HNT,EUR,2.5'],
      ...{ format: 'spreadsheet', locale: 'de' },
    })
    expect(summary.owners).toHaveLength(2)
    expect(summary.hotspots.find(({ hotspotKey }) => hotspotKey === hotspot(1).text)?.to).toBe('2025-06-30')
    expect(summary.prices).toMatchObject({ currency: 'EUR', lines: 1 })
    // 1.23456789 and 0.00000011 HNT at 2.5.
    expect(summary.tokens.find(({ token }) => token === 'HNT')?.valueOfPriced).toBe('3.08642')
    expect(Buffer.from(files['rewards-hnt.csv'] ?? []).toString()).toMatch(
      /^\uFEFFdate;hotspot_key;.*;value\n/,
    )
  })
})
