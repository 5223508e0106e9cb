import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Feature, features } from '../../../src/catalog/feature.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { idOfKey } from '../../../src/keys/api-key.ts'
import { openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { revokeKey } from '../../../src/keys/key-file.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'
import { specifiedLists } from '../../support/specified.ts'

const range = 'from=2025-01-28&to=2025-02-01'
const list = `/v1/net/l2/iot-reward-shares?${range}`
const totals = `/v1/net/l2/iot-reward-shares/totals?${range}`
const makers = '/v1/net/l2/makers'
const query = { method: 'POST', headers: { 'content-type': 'application/json' } } as const

let lake: string
/** For tests that leave its file of keys and the clock alone. */
let shared: GatedServer

beforeAll(async () => {
  lake = await smallLake()
  shared = await gatedServer(lake)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Source: specification, "Feature requirements", and decision 25. */
const ofTotals: readonly Feature[] = ['OracleData', 'Aggregates']
const operations = specifiedLists.flatMap(({ path, list, find, totals }) => {
  const needs: readonly Feature[] = path.startsWith('/l1/') ? ['HotspotData'] : []
  const given = totals === undefined ? '' : `?${range}`
  return [
    [list, `${path}${given}`, needs] as const,
    ...(find === undefined ? [] : [[find, `${path}/x`, needs] as const]),
    ...(totals === undefined ? [] : [[totals, `${path}/totals${given}`, ofTotals] as const]),
  ]
})

describe('an API key', () => {
  it('is required by every operation before parameters are checked', async () => {
    const { ask } = shared
    const wrong = operations.map(([, path]) => `${path.split('?')[0]}?page=0&nonsense=1`)
    for (const address of [...operations.map(([, path]) => path), ...wrong]) {
      const { status, text, headers } = await ask(`/v1/net${address}`)
      expect([status, headers['www-authenticate']], address).toEqual([401, 'Bearer'])
      expect(JSON.parse(text)).toEqual({
        error: 'Send your API key as `Authorization: Bearer <key>`.',
        code: 'authentication_required',
      })
    }
  })

  it('without features gets the 403 body that /openapi.json shows for the operation', async () => {
    const { ask, newKey } = shared
    const key = await newKey({ features: [] })
    const document = JSON.parse((await ask('/openapi.json', key)).text)
    const described = Object.values(document.paths).flatMap((item) => Object.values(item as object))
    const needing = operations.filter(([, , needs]) => needs.length > 0)
    for (const [operation, path] of some(needing)) {
      const { responses } = described.find(({ operationId }) => operationId === operation)
      const { text } = await ask(`/v1/net${path}`, key)
      const { example, examples } = responses['403'].content['application/json']
      const shown = [
        example,
        ...Object.values(examples ?? {}).map((one) => (one as { value: unknown }).value),
      ]
      expect(shown, operation).toContainEqual(JSON.parse(text))
    }
  })

  it('without a feature of an operation gets 403 with the name of that feature', async () => {
    const { ask, newKey } = shared
    for (const [operation, path, needs] of operations) {
      const lacking = await newKey({ features: features.filter((feature) => !needs.includes(feature)) })
      const { status, code, text } = await ask(`/v1/net${path}`, lacking)
      if (needs.length === 0) expect([200, 404], operation).toContain(status)
      else {
        expect([status, code], operation).toEqual([403, 'feature_not_available'])
        expect(text).toContain(`needs the feature ${needs.join(' and ')};`)
      }
      for (const feature of needs) {
        const without = await newKey({ features: features.filter((one) => one !== feature) })
        expect((await ask(`/v1/net${path}`, without)).status).toBe(403)
      }
      expect([200, 404]).toContain((await ask(`/v1/net${path}`, await newKey({ features: needs }))).status)
    }
  })

  it('is read only from Authorization: Bearer', async () => {
    const { ask, newKey } = shared
    const key = await newKey()
    expect((await ask(makers, key)).status).toBe(200)
    expect((await ask(makers, undefined, { headers: { authorization: `bearer   ${key} ` } })).status).toBe(
      200,
    )
    for (const authorization of [key, `Token ${key}`, `Bearer ${key} more`, 'Bearer', '', `Basic ${key}`]) {
      expect((await ask(makers, undefined, { headers: { authorization } })).status).toBe(401)
    }
    expect((await ask(`${makers}?key=${key}`)).status).toBe(401)
  })

  it.each([
    ['the header X-API-Key', { 'x-api-key': 'KEY' }, ''],
    ['the parameter api_key', {}, '?api_key=KEY'],
    ['the parameter apikey', {}, '?page=1&apikey=KEY'],
    ['the parameter access_token', {}, '?access_token=KEY'],
    ['the parameter token', {}, '?token=KEY'],
    ['the parameter key', {}, '?key=KEY'],
  ])('in %s gets 401 with the right header to use', async (place, headers, search) => {
    const { ask, newKey } = shared
    const key = await newKey()
    const request = { headers: JSON.parse(JSON.stringify(headers).replace('KEY', key)) }
    const { status, text } = await ask(makers + search.replace('KEY', key), undefined, request)
    expect([status, JSON.parse(text).error]).toEqual([
      401,
      `An API key in ${place} is not read. Send your API key as \`Authorization: Bearer <key>\`.`,
    ])
  })

  it.each([
    ['Basic abc', 'The header Authorization has no API key. '],
    ['Bearer ll_nobody', 'The API key in the header Authorization is unknown or revoked. '],
  ])('in the header %j gets 401 with the reason', async (authorization, found) => {
    const { ask } = shared
    const { text } = await ask(makers, undefined, { headers: { authorization } })
    expect(JSON.parse(text).error).toBe(`${found}Send your API key as \`Authorization: Bearer <key>\`.`)
  })

  it('that differs in one letter or was revoked gets 401', async () => {
    const { ask, newKey, keyFile } = shared
    const key = await newKey({ name: 'leaving' })
    const last = key.at(-1) === '0' ? '1' : '0'
    for (const wrong of [key.slice(0, -1) + last, key.slice(0, -1), key.toUpperCase(), `${key}0`]) {
      const { status, text } = await ask(makers, wrong)
      expect(status).toBe(401)
      expect(text).not.toContain(wrong)
    }
    await revokeKey(keyFile, 'leaving', new Date())
    while ((await ask(makers, key)).status === 200) await setTimeout(5)
    expect((await ask(makers, key)).code).toBe('authentication_required')
  })

  it('is still required after all keys were revoked', async () => {
    const { ask, keyFile } = await gatedServer(lake)
    await revokeKey(keyFile, 'the first', new Date())
    await setTimeout(50)
    expect((await ask(makers)).status).toBe(401)
  })

  it('is still required after the key file was emptied, removed or made again', async () => {
    const { ask, newKey, keyFile } = await gatedServer(lake)
    const key = await newKey()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const statusesOf = async () => [(await ask(makers)).status, (await ask(makers, key)).status]
    writeFileSync(keyFile, '')
    await setTimeout(100)
    expect(await statusesOf()).toEqual([401, 401])
    rmSync(keyFile)
    await setTimeout(100)
    expect(await statusesOf()).toEqual([401, 503])
    const another = await newKey()
    while ((await ask(makers, another)).status !== 200) await setTimeout(5)
    expect((await ask(makers)).status).toBe(401)
    expect(console.error).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringMatching(/no keys any more/) }),
    )
  })

  it('is not required for the guides', async () => {
    for (const url of ['/guide', '/guide/asking', '/guide/search'])
      expect((await shared.ask(url, undefined)).status).toBe(200)
  })

  it('with every feature is required to see records in the documents, which are public otherwise', async () => {
    const { ask, newKey } = shared
    const record = '1125AK6oskKNDy5J9ek6gurdHjT7A4cWzcA6FBYi2JZEQFULLuzU'
    const [all, some] = [await newKey(), await newKey({ features: ['OracleData', 'Aggregates'] })]
    const recent = await newKey({ lookbackDays: 1 })
    for (const url of ['/openapi.json', '/docs', '/llms.txt']) {
      for (const key of [undefined, 'll_nobody', some, recent]) {
        const { status, text, headers } = await ask(url, key)
        expect([status, headers['ledgerlake-snapshot']]).toEqual([200, undefined])
        expect(text).toContain('/l1/transaction-actors')
        expect(text).not.toContain(record)
        expect(text).not.toContain('Nothing has been ingested yet:')
        expect(text).not.toContain('Nothing has been ingested yet, ')
      }
      expect((await ask(url, all)).text).toContain(record)
    }
  })

  it('is not required for /healthz, /readyz, /metrics, the front page and the explorer', async () => {
    const { ask } = shared
    for (const url of ['/healthz', '/readyz', '/metrics', '/']) expect((await ask(url)).status).toBe(200)
    expect((await ask('/graphql', undefined, { headers: { accept: 'text/html' } })).text).toContain(
      '<html lang="en"',
    )
  })
})

describe('GraphQL', () => {
  it('answers 401 before a query is read', async () => {
    const { ask, newKey } = shared
    const persisted = '/graphql/iot-reward-shares?nonsense=1'
    for (const [url, request] of [
      ['/graphql', { ...query, payload: '{"query": broken' }],
      ['/graphql', { ...query, headers: { 'content-type': 'text/plain' }, payload: 'x' }],
      ['/graphql?query={status}', {}],
      [persisted, {}],
    ] as const) {
      const { status, text, headers } = await ask(url, undefined, request)
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(JSON.parse(text)).toEqual({
        errors: [
          {
            message: 'Send your API key as `Authorization: Bearer <key>`.',
            extensions: { code: 'authentication_required' },
          },
        ],
      })
    }
    const key = await newKey({ features: [] })
    expect((await ask('/graphql', key, { ...query, payload: '{"query":"{status}"}' })).text).toBe(
      '{"data":{"status":"ok"}}',
    )
    expect((await ask('/graphql/iot-reward-shares?first=1', key)).status).toBe(200)
  })

  it('counts against quota and rate, and refuses with an errors array', async () => {
    const { ask, newKey } = shared
    const payload = '{"query":"{status}"}'
    const poor = await newKey({ quotaPer30Days: 1 })
    const wrong = await ask('/graphql', poor, { ...query, payload: '{"query":"{nothing}"}' })
    expect([wrong.status, wrong.code]).toEqual([200, 'malformed_request'])
    expect((await ask('/graphql', poor, { ...query, payload })).status).toBe(200)
    const refused = await ask('/graphql', poor, { ...query, payload })
    expect([refused.status, Object.keys(JSON.parse(refused.text))]).toEqual([402, ['errors']])
    const slow = await newKey({ ratePerMinute: 1 })
    expect((await ask(makers, slow)).status).toBe(200)
    expect((await ask('/graphql', slow, { ...query, payload })).status).toBe(429)
  })
})

describe('a quota', () => {
  it('is used by successes alone', async () => {
    const { ask, newKey } = shared
    const key = await newKey({ quotaPer30Days: 2, features: [] })
    const left: unknown[] = []
    for (const url of [
      `${makers}/x`,
      `${makers}?page=0`,
      totals,
      makers,
      '/nowhere',
      makers,
      makers,
      `${makers}/x`,
    ]) {
      const { status, headers } = await ask(url, key)
      left.push([status, headers['ledgerlake-quota-remaining']])
    }
    expect(left).toEqual([
      [404, '1'],
      [422, '1'],
      [403, '1'],
      [200, '1'],
      [404, undefined],
      [200, '0'],
      [402, '0'],
      [402, '0'],
    ])
  })

  it('names the instant of its reset, and resets then', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00.250Z') })
    const { ask, newKey, keyFile } = await gatedServer(lake)
    const key = await newKey({ name: 'an operator', quotaPer30Days: 1000 })
    const other = openCounterOf(keyFile, (error) => expect.fail(String(error)))
    const limited = { id: idOfKey(key) ?? '', quotaPer30Days: 1000, ratePerMinute: null }
    for (let count = 0; count < 999; count += 1) {
      other.take(limited, Date.now())
      other.spend(limited.id, Date.now())
    }
    other.close()
    expect((await ask(makers, key)).headers['ledgerlake-quota-remaining']).toBe('0')
    vi.setSystemTime(new Date('2026-11-22T10:00:00.250Z'))
    const { status, text, headers } = await ask(makers, key)
    expect(status).toBe(402)
    expect(JSON.parse(text)).toEqual({
      error:
        'The key an operator has used its 1,000 requests in 30 days; there are more from 2026-12-21 10:00:00 UTC.',
      code: 'usage_limit_exceeded',
    })
    expect(headers['retry-after']).toBe(String(29 * 86_400))
    vi.setSystemTime(new Date('2026-12-21T10:00:00.250Z'))
    expect((await ask(makers, key)).headers['ledgerlake-quota-remaining']).toBe('999')
  })

  it('cannot be overdrawn by requests under way at once', async () => {
    const { ask, newKey } = shared
    const key = await newKey({ quotaPer30Days: 3 })
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(list, key)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(402)])
  })

  it('survives a restart of the server', async () => {
    const first = await gatedServer(lake)
    const key = await first.newKey({ quotaPer30Days: 3 })
    await first.ask(makers, key)
    await first.ask(makers, key)
    const second = await gatedServer(lake, { keyFile: first.keyFile })
    expect((await second.ask(makers, key)).headers['ledgerlake-quota-remaining']).toBe('0')
    expect((await second.ask(makers, key)).status).toBe(402)
  })
})

describe('a rate limit', () => {
  it('is reported in headers for each key, and resets a minute after the first request', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') })
    const { ask, newKey } = await gatedServer(lake)
    const [key, other] = [
      await newKey({ name: 'fast', ratePerMinute: 2 }),
      await newKey({ ratePerMinute: 1 }),
    ]
    const told = async (text: string) => {
      const { status, headers } = await ask(`${makers}/x`, text)
      return [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']]
    }
    expect(await told(key)).toEqual([404, '2', '1', '60'])
    vi.setSystemTime(new Date('2026-11-21T10:00:20Z'))
    expect(await told(key)).toEqual([404, '2', '0', '40'])
    expect(await told(key)).toEqual([429, '2', '0', '40'])
    expect(await told(other)).toEqual([404, '1', '0', '60'])
    const { text, headers } = await ask(makers, key)
    expect(JSON.parse(text)).toEqual({
      error: 'The key fast may ask 2 times a minute; there are more in 40 s.',
      code: 'rate_limit_exceeded',
    })
    expect(headers['retry-after']).toBe('40')
    vi.setSystemTime(new Date('2026-11-21T10:01:01Z'))
    expect(await told(key)).toEqual([404, '2', '1', '60'])
  })

  it('adds no headers to responses of a key without a limit', async () => {
    const { ask, newKey } = shared
    const { headers } = await ask(makers, await newKey())
    expect(Object.keys(headers).filter((name) => /ratelimit|quota/.test(name))).toEqual([])
  })
})

it('a request is checked for key, quota, rate, feature and parameters in this order', async () => {
  const { ask, newKey } = shared
  const wrong = '/v1/net/l1/accounts?page=0'
  const terms = { features: [], quotaPer30Days: 1, ratePerMinute: 1 } as const
  const allWrong = await newKey(terms)
  expect((await ask(makers, allWrong)).status).toBe(200)
  expect((await ask(wrong, `${allWrong}0`)).code).toBe('authentication_required')
  expect((await ask(wrong, allWrong)).code).toBe('usage_limit_exceeded')
  const slow = await newKey({ ...terms, quotaPer30Days: 9 })
  expect((await ask(makers, slow)).status).toBe(200)
  expect((await ask(wrong, slow)).code).toBe('rate_limit_exceeded')
  expect((await ask(wrong, await newKey({ ...terms, ratePerMinute: 9 }))).code).toBe('feature_not_available')
  const allowed = await newKey({ ...terms, features: ['HotspotData'] })
  expect((await ask(wrong, allowed)).code).toBe('malformed_request')
})

describe('a look-back window', () => {
  const day = 'from=2025-01-29&to=2025-02-01'

  it('raises from of reward shares and sends Ledgerlake-From', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-02T15:30:00Z') })
    const { ask, newKey } = await gatedServer(lake)
    const [key, all] = [await newKey({ lookbackDays: 3 }), await newKey()]
    const narrowed = 'from=2025-01-30&to=2025-02-01'
    for (const network of ['iot', 'mobile']) {
      const path = `/v1/net/l2/${network}-reward-shares`
      for (const operation of [path, `${path}/totals`]) {
        const cut = await ask(`${operation}?${day}`, key)
        expect(cut.headers['ledgerlake-from']).toBe('2025-01-30T00:00:00Z')
        expect(cut.text).toBe((await ask(`${operation}?${narrowed}`, all)).text)
        expect(cut.text).not.toBe((await ask(`${operation}?${day}`, all)).text)
      }
    }
  })

  it('does not change a range within it, and sends no Ledgerlake-From', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-02T15:30:00Z') })
    const { ask, newKey } = await gatedServer(lake)
    const key = await newKey({ lookbackDays: 5 })
    const { text, headers } = await ask(`/v1/net/l2/iot-reward-shares?${day}`, key)
    expect(headers['ledgerlake-from']).toBeUndefined()
    expect(text).toBe((await ask(`/v1/net/l2/iot-reward-shares?${day}`, await newKey())).text)
  })

  it('that covers no day of the range gives an empty list and totals of 0', async () => {
    const { ask, newKey } = shared
    const key = await newKey({ lookbackDays: 0 })
    for (const filter of ['', '&reward_type=gateway_reward', '&hotspot_key=x']) {
      const { text } = await ask(`${list}${filter}`, key)
      expect(text).toBe(
        '{"meta":{"count":0,"total_pages":1,"current_page":1,"next_page":null,"prev_page":null},"records":[]}',
      )
      expect((await ask(`${totals}${filter}`, key)).text).toMatch(/^\{("total_\w+":0,?)+\}$/)
    }
  })

  it('applies to GraphQL, also without startPeriod, and to no other table', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-02T15:30:00Z') })
    const { ask, newKey } = await gatedServer(lake)
    const [key, all] = [await newKey({ lookbackDays: 3 }), await newKey()]
    const shares = (start: string) =>
      `/graphql?query={mobileRewardShares(first:100${start}){nodes{id endPeriod}pageInfo{hasPreviousPage endCursor}}}`
    const cut = await ask(shares(''), key)
    expect(cut.headers['ledgerlake-from']).toBe('2025-01-30T00:00:00Z')
    expect(cut.text).toBe((await ask(shares(',startPeriod:"2025-01-30"'), all)).text)
    expect(cut.text).not.toBe((await ask(shares(''), all)).text)
    for (const url of [
      '/v1/net/l1/rewards?from=2015-01-01',
      '/graphql?query={rewardManifests(startTimestamp:"2020-01-01",endTimestamp:"2030-01-01"){nodes{id}}}',
    ]) {
      const { text, headers } = await ask(url, key)
      expect(headers['ledgerlake-from']).toBeUndefined()
      expect(text).toBe((await ask(url, all)).text)
    }
  })
})

describe('a server at its request limit', () => {
  /** Rows of makers come only when they are let go, or never for a caller who is gone. */
  function held() {
    const waiting: (() => void)[] = []
    const around = (engine: Engine): Engine => ({
      ...engine,
      rows: async (plan, at, signal) => {
        if (plan.resource.name !== 'makers') return await engine.rows(plan, at, signal)
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve)
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
        return await engine.rows(plan, at, signal)
      },
    })
    return { around, waiting }
  }

  it('refuses further requests with 503, and accepts them once a slot is released', async () => {
    const { around, waiting } = held()
    const { ask, newKey } = await gatedServer(lake, { around, options: { mostRequests: 2 } })
    const key = await newKey()
    const under = [ask(makers, key), ask(`${makers}?per_page=1`, key)]
    while (waiting.length < 2) await setTimeout(5)
    const { status, text, headers } = await ask(makers, key)
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(JSON.parse(text)).toEqual({
      error: '2 requests are being answered already; ask again in a moment.',
      code: 'overloaded',
    })
    expect((await ask('/healthz')).status).toBe(200)
    const refused = await ask('/graphql', key, { ...query, payload: '{"query":"{status}"}' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    for (const letGo of waiting.splice(0)) letGo()
    expect((await Promise.all(under)).map((reply) => reply.status)).toEqual([200, 200])
    const after = ask(makers, key)
    while (waiting.length < 1) await setTimeout(5)
    for (const letGo of waiting.splice(0)) letGo()
    expect((await after).status).toBe(200)
  })
})
