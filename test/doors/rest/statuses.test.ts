import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorTable, fail } from '../../../src/base/errors.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { aroundRows } from '../../support/around-rows.ts'
import { inside } from '../../support/inside.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type GatedServer, gatedServer, type Reply } from '../../support/servers/gated-server.ts'
import { idAt } from '../../support/tables/snapshot-ids.ts'
import { writeLog } from '../../support/tables/write-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const makers = '/v1/net/l2/makers'
const shares = encodeURIComponent('{iotRewardShares(hotspotKey:"x"){nodes{id}}}')

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

/** What the engine does about rows that are searched for. */
const engineThat =
  (rows: (signal: AbortSignal | undefined) => Promise<never>) =>
  (engine: Engine): Engine => ({
    ...aroundRows(engine, (plan, signal, next) =>
      plan.resource.name === 'reward_manifests' ? next() : rows(signal),
    ),
    count: (_plan, _at, signal) => rows(signal),
  })

const never = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

interface Case {
  readonly status: number
  readonly code: string
  /** Asks REST and GraphQL in turn what each refuses with this status; GraphQL has none for some. */
  readonly provoke: () => Promise<{ readonly rest: Reply; readonly graphql?: Reply }>
}

const both = async ({ ask }: GatedServer, key: string | undefined, path = makers, query = '{status}') => ({
  rest: await ask(path, key),
  graphql: await ask(`/graphql?query=${query}`, key),
})

/** Copied from decision 24; 405, 410, and 503 of a lake that is damaged or newer, are ours. */
const cases: readonly Case[] = [
  {
    ...{ status: 404, code: 'not_found' },
    provoke: async () => {
      const server = await gatedServer(lake)
      return { rest: await server.ask('/v1/net/l2/hotspots/nobody', await server.newKey()) }
    },
  },
  {
    ...{ status: 405, code: 'method_not_allowed' },
    provoke: async () => {
      const { ask } = await gatedServer(lake)
      return { rest: await ask(makers, undefined, { method: 'POST' }) }
    },
  },
  {
    ...{ status: 410, code: 'gone' },
    provoke: async () => {
      const folder = await temporaryFolder()
      writeLog(folder, iotRewardShares, [1, 2], { replaces: true })
      const server = await gatedServer(folder)
      const totals = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2026-01-01'
      const asOf = await idAt(folder, iotRewardShares, 0)
      return { rest: await server.ask(`${totals}&as_of=${asOf}`, await server.newKey()) }
    },
  },
  {
    ...{ status: 412, code: 'precondition_failed' },
    provoke: async () => {
      const server = await gatedServer(lake)
      return { rest: await server.ask(makers, await server.newKey(), { headers: { 'if-match': '"x"' } }) }
    },
  },
  {
    ...{ status: 416, code: 'range_not_satisfiable' },
    provoke: async () => {
      const server = await gatedServer(lake)
      const key = await server.newKey()
      const { headers } = await server.ask(makers, key)
      const file = `/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2026-01-01&format=csv&as_of=${headers['ledgerlake-snapshot']}`
      return { rest: await server.ask(file, key, { headers: { range: 'bytes=99999999-' } }) }
    },
  },
  {
    ...{ status: 413, code: 'body_too_large' },
    provoke: async () => {
      const server = await gatedServer(lake)
      const key = await server.newKey()
      const headers = { 'content-type': 'application/json' }
      const asked = { method: 'POST', payload: `{"query":"${'x'.repeat(5 * 2 ** 20)}"}`, headers } as const
      const series = '/v1/net/l2/iot-reward-shares/totals/series?from=2025-01-29&to=2025-02-02'
      return { rest: await server.ask(series, key, asked), graphql: await server.ask('/graphql', key, asked) }
    },
  },
  {
    ...{ status: 422, code: 'malformed_request' },
    provoke: async () => {
      const server = await gatedServer(lake)
      return { rest: await server.ask(`${makers}?page=0`, await server.newKey()) }
    },
  },
  {
    ...{ status: 401, code: 'authentication_required' },
    provoke: async () => both(await gatedServer(lake), undefined),
  },
  {
    ...{ status: 403, code: 'feature_not_available' },
    provoke: async () => {
      const server = await gatedServer(lake)
      return { rest: await server.ask('/v1/net/l1/rewards', await server.newKey({ features: [] })) }
    },
  },
  {
    ...{ status: 402, code: 'usage_limit_exceeded' },
    provoke: async () => {
      const server = await gatedServer(lake)
      const key = await server.newKey({ quotaPer30Days: 1 })
      await server.ask(makers, key)
      return both(server, key)
    },
  },
  {
    ...{ status: 429, code: 'rate_limit_exceeded' },
    provoke: async () => {
      const server = await gatedServer(lake)
      const key = await server.newKey({ ratePerMinute: 1 })
      await server.ask(makers, key)
      return both(server, key)
    },
  },
  {
    ...{ status: 503, code: 'overloaded' },
    provoke: async () => {
      const options = { mostRequests: 1, requestTimeoutMs: 3000 }
      const server = await gatedServer(lake, { around: engineThat(never), options })
      const key = await server.newKey()
      const slow = server.ask('/v1/net/l2/hotspots', key)
      await setTimeout(50)
      const refused = await both(server, key)
      expect((await slow).status).toBe(504)
      return refused
    },
  },
  {
    ...{ status: 503, code: 'not_ready' },
    provoke: async () => {
      const server = await gatedServer(await temporaryFolder())
      return { rest: await server.ask(makers, await server.newKey()) }
    },
  },
  {
    ...{ status: 503, code: 'lake_damaged' },
    provoke: async () => {
      const around = engineThat(async () => fail('lake_damaged', 'part-1.parquet of makers is cut off'))
      const server = await gatedServer(lake, { around })
      return { rest: await server.ask('/v1/net/l2/hotspots', await server.newKey()) }
    },
  },
  {
    ...{ status: 503, code: 'lake_unsupported' },
    provoke: async () => {
      const around = engineThat(async () => fail('lake_unsupported', 'part-1.parquet is of a newer build'))
      const server = await gatedServer(lake, { around })
      return { rest: await server.ask('/v1/net/l2/hotspots', await server.newKey()) }
    },
  },
  {
    ...{ status: 504, code: 'deadline_exceeded' },
    provoke: async () => {
      const server = await gatedServer(lake, { around: engineThat(never), options: { requestTimeoutMs: 50 } })
      return { rest: await server.ask('/v1/net/l2/hotspots', await server.newKey()) }
    },
  },
  {
    ...{ status: 500, code: 'internal' },
    provoke: async () => {
      const around = engineThat(() => Promise.reject(new Error('no such table: part-1.parquet')))
      const server = await gatedServer(lake, { around })
      return { rest: await server.ask('/v1/net/l2/hotspots', await server.newKey()) }
    },
  },
]

describe('an error response', () => {
  it.each(cases)(
    'with $status $code occurs, and contains no internal detail',
    async ({ status, code, provoke }) => {
      const { rest, graphql } = await provoke()
      const body = JSON.parse(rest.text)
      expect([rest.status, body.code]).toEqual([status, code])
      expect(body.error).toMatch(/^[A-Z/\d\w].{5,}/)
      expect(rest.text).not.toMatch(inside)
      expect(rest.text).not.toContain('parquet')
      expect(rest.headers['content-type']).toBe('application/json; charset=utf-8')
      if (status >= 500 && !['overloaded', 'not_ready', 'deadline_exceeded'].includes(code))
        expect(body.error).toContain(rest.headers['x-request-id'])
      if ([402, 429].includes(status) || ['overloaded', 'not_ready'].includes(code))
        expect(Number(rest.headers['retry-after'])).toBeGreaterThan(0)
      if (graphql === undefined) return
      const errors = JSON.parse(graphql.text).errors
      expect([graphql.status, errors]).toEqual([
        status,
        [{ message: expect.any(String), extensions: { code } }],
      ])
      expect(graphql.headers['retry-after']).toBe(rest.headers['retry-after'])
    },
  )

  it.each([
    ['deadline_exceeded', engineThat(never)],
    ['internal', engineThat(() => Promise.reject(new Error('no such table: part-1.parquet')))],
  ])('%s of a field is in the errors of a GraphQL response', async (code, around) => {
    const { ask, newKey } = await gatedServer(lake, { around, options: { requestTimeoutMs: 300 } })
    const { status, text } = await ask(`/graphql?query=${shares}`, await newKey())
    expect(status).toBe(200)
    expect(JSON.parse(text).errors[0].extensions.code).toBe(code)
    expect(text).not.toContain('parquet')
  })

  it('exists for each code that a server may send', () => {
    const ofTheCommand = [
      'source_unreadable',
      'source_changed',
      'lake_unwritable',
      'commit_conflict',
      'address_in_use',
    ]
    const said = Object.keys(errorTable).filter((code) => !ofTheCommand.includes(code))
    expect(cases.map(({ code }) => code).sort()).toEqual(said.sort())
    for (const { code, status } of cases)
      expect(errorTable[code as keyof typeof errorTable].status).toBe(status)
  })
})
