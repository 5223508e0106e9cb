import { beforeAll, describe, expect, it } from 'vitest'
import { bee, evil, makeEarningLake } from '../../support/earnings/earning-lake.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'
import { mcpOver } from '../../support/servers/mcp-client.ts'

const days = { first_day: '2025-02-13', last_day: '2025-02-16' }

let gated: GatedServer

beforeAll(async () => {
  gated = await gatedServer((await makeEarningLake()).folder)
})

const call = async (
  args: Readonly<Record<string, unknown>>,
  terms: Parameters<GatedServer['newKey']>[0] = {},
) => await (await mcpOver(gated.test.server, await gated.newKey(terms))).call('earnings', args)

describe('the earnings tool', () => {
  it('has rows, sums and gaps of a hotspot by name, exact and as text', async () => {
    const { isError, text } = await call({ hotspot_key: 'Furry Linen Bee', ...days })
    const { answer, rows, next } = JSON.parse(text)
    expect([isError, rows, next]).toEqual([false, { first: 1, count: 8, total: 8 }, null])
    expect(answer).toMatchObject({
      tokens: [
        { token: 'HNT', amount: '0.000002', usd: '0.000008' },
        { token: 'MOBILE', amount: '0.000034', usd: '0.0000000238' },
      ],
      usd: null,
      unknown_hotspots: [],
    })
    expect(answer.missing).toContainEqual({ state: 'data missing', network: 'IoT', dates: ['2025-02-14'] })
    expect(answer.rows[0]).toEqual({
      ...{ date: '2025-02-13', hotspot_name: 'Furry Linen Bee', hotspot_key: bee.text },
      ...{
        network: 'IoT',
        token: 'HNT',
        amount: '0.000002',
        price_usd: '4.0',
        usd: '0.000008',
        state: 'paid',
      },
    })
  })

  it('sums all rows when a reply has no room for them', async () => {
    const { text } = await call({ owner: 'owner-a', first_day: '2024-01', last_day: '2025-12' })
    const { answer, rows, next } = JSON.parse(text)
    expect(rows.total).toBe(3 * 731)
    expect(rows.count).toBeLessThan(rows.total)
    expect(next).toEqual({ how: 'Ask for fewer days or hotspots; the sums are of all rows.' })
    expect(answer.tokens[0]).toMatchObject({ token: 'HNT', amount: '92233720368.54776108' })
  })

  it.each([
    [days, 'hotspot_key is missing'],
    [{ owner: 'owner-a', first_day: '2025-02-13' }, 'last_day is missing'],
    [{ owner: 'nobody', ...days }, 'Owner not found'],
    [{ owner: 'owner-a', ...days, format: 'csv' }, 'format'],
  ])('refuses %j in the words of REST', async (args, sentence) => {
    expect(await call(args)).toEqual({ isError: true, text: expect.stringContaining(sentence) })
  })

  it('needs the features of totals, reaches as far back as the key, and has no byte of other hotspots', async () => {
    const refused = await call({ hotspot_key: evil.text, ...days }, { features: ['HotspotData'] })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('OracleData')])
    const { text } = await call(
      { hotspot_key: evil.text, ...days },
      { features: ['OracleData', 'Aggregates'] },
    )
    expect(text).toContain('=Evil')
    expect(text).not.toContain(bee.text)
    expect(text).not.toContain('Furry')
    const dayFromNow = (number: number) =>
      new Date(Date.now() + number * 86_400_000).toISOString().slice(0, 10)
    const first = dayFromNow(-3)
    const late = { hotspot_key: bee.text, first_day: '2025-02-13', last_day: dayFromNow(2) }
    const { answer, from_served: served } = JSON.parse((await call(late, { lookbackDays: 3 })).text)
    expect([answer.first_day, served, answer.tokens]).toEqual([first, `${first}T00:00:00Z`, []])
  })
})
