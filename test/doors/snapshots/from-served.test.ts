import { beforeAll, describe, expect, it, vi } from 'vitest'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'

/** What a look-back cuts is told by every reply whose form is ours to shape, in the header as well as in `from_served`. */

interface Reply {
  readonly meta?: { readonly from_served: string | null }
  readonly from_served?: string | null
  readonly coverage?: { readonly from_served?: string }
  readonly tables?: readonly {
    readonly table: string
    readonly coverage: { readonly from_served?: string }
  }[]
}

let folder = ''
beforeAll(async () => {
  folder = (await makeStatementLake()).folder
})

const shares = '/v1/net/l2/iot-reward-shares/totals'
const to = 'to=2025-06-02'
const instant = '2025-05-31T00:00:00Z'
const replies = [
  [
    'totals with coverage',
    `${shares}?coverage=true&${to}`,
    instant,
    (reply: Reply) => reply.coverage?.from_served,
  ],
  ['a series', `${shares}/series?${to}`, instant, (reply: Reply) => reply.meta?.from_served],
  ['a statement', `/v1/net/statement?owner=owner-a&${to}`, '2025-05-31', (reply: Reply) => reply.from_served],
  [
    'status',
    `/v1/net/status?${to}`,
    instant,
    (reply: Reply) => reply.tables?.find(({ table }) => table === 'iot_reward_shares')?.coverage.from_served,
  ],
] as const

describe('a key with a look-back of two days', () => {
  it.each(replies)('gets the start of the served range from %s', async (_, path, served, told) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-06-02T15:30:00Z') })
    const { ask, newKey } = await gatedServer(folder)
    const key = await newKey({ lookbackDays: 2 })
    const asked = async (from: string) => {
      const { status, headers, text } = await ask(`${path}&from=${from}`, key)
      return [status, headers['ledgerlake-from'], told(JSON.parse(text)) ?? null]
    }
    expect(await asked('2025-05-30')).toEqual([200, instant, served])
    expect(await asked('2025-05-31')).toEqual([200, undefined, null])
  })
})
