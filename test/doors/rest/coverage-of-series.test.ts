import { beforeAll, describe, expect, it } from 'vitest'
import { fileFormats, plainFormats } from '../../support/export/read-files.ts'
import { lackingLake } from '../../support/lakes/lacking-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

const range = 'from=2025-02-02&to=2025-02-07'
const networks = [
  ['iot', 'days=1, manifests=1'],
  ['mobile', 'days=2, manifests=0'],
] as const

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer((await lackingLake()).folder)
})

const missing = 'ledgerlake-missing'
const post = (url: string) =>
  server.server.inject({ method: 'POST', url: `/v1/net${url}`, payload: { hotspot_keys: ['none'] } })
const coverageIn = (text: string) => JSON.parse(text).coverage
const work = () => ({ ...server.engine.work() })

describe.each(networks)('a series of %s', (network, lacks) => {
  const path = `/l2/${network}-reward-shares/totals/series?${range}`

  it('has the gaps of its range in Ledgerlake-Missing, by GET and by POST', async () => {
    const replies = [await server.get(path), await post(path)]
    expect(replies.map(({ headers }) => headers[missing])).toEqual([lacks, lacks])
    const whole = path.replace('2025-02-07', '2025-02-04')
    expect([(await server.get(whole)).headers[missing], (await post(whole)).headers[missing]]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('with coverage=true has the member coverage of totals, and no other change', async () => {
    const totals = await server.get(`/l2/${network}-reward-shares/totals?${range}&coverage=true`)
    const told = coverageIn(totals.text)
    expect(told.epochs.expected).toBe(6)
    const { coverage, ...series } = JSON.parse((await server.get(`${path}&coverage=true`)).text)
    expect(coverage).toEqual(told)
    expect(series).toEqual(JSON.parse((await server.get(path)).text))
    const posted = await post(`${path}&coverage=true`)
    expect([posted.statusCode, coverageIn(posted.body)]).toEqual([200, told])
  })

  it('reports its gaps without a statement and without opening a file', async () => {
    await server.get(path)
    const before = work()
    const reply = await server.get(`${path}&coverage=true`)
    expect([reply.status, reply.headers[missing]]).toEqual([200, lacks])
    expect(work()).toEqual(before)
  })
})

describe.each(networks)('an export of %s', (network, lacks) => {
  const path = `/l2/${network}-reward-shares?${range}`

  it.each(plainFormats)('as %s has the gaps of its range in Ledgerlake-Missing', async (format) => {
    const asked = await server.get(`${path}&format=${format}`)
    expect([asked.status, asked.headers[missing], asked.headers['ledgerlake-coverage']]).toEqual([
      200,
      lacks,
      undefined,
    ])
    const whole = await server.get(`${path.replace('02-07', '02-04')}&format=${format}`)
    expect([whole.status, whole.headers[missing]]).toEqual([200, undefined])
  })

  it('with coverage=true has the counts of the coverage of totals in Ledgerlake-Coverage', async () => {
    const before = work()
    await server.get(`${path}&format=csv`)
    const between = work()
    const reply = await server.get(`${path}&format=csv&coverage=true`)
    const after = work()
    const { statements } = between
    expect(after.statements - statements).toBe(statements - before.statements)
    expect(JSON.parse(String(reply.headers['ledgerlake-coverage']))).toEqual({
      ...{ from: '2025-02-02T00:00:00Z', to: '2025-02-07T00:00:00Z', expected: 6 },
      ...(network === 'iot'
        ? { present: 5, newest: '2025-02-06', missing: 1, without_manifest: 1 }
        : { present: 4, newest: '2025-02-05', missing: 2, without_manifest: 0 }),
      ...{ incomplete: 0, late: 0, unreadable: 0, tokens: [], mixes_tokens: false },
    })
    const head = await server.server.inject({
      method: 'HEAD',
      url: `/v1/net${path}&format=csv&coverage=true`,
    })
    expect([head.headers[missing], head.headers['ledgerlake-coverage']]).toEqual([
      lacks,
      reply.headers['ledgerlake-coverage'],
    ])
  })

  it('accepts coverage=true, and a page returns 422 for it', async () => {
    const page = await server.get(path)
    expect([page.status, page.headers[missing]]).toEqual([200, undefined])
    const { status, text } = await server.get(`${path}&coverage=true`)
    const message = `coverage needs a file format; leave it out, or add one of ${fileFormats.map((name) => `format=${name}`).join(', ')}`
    expect([status, JSON.parse(text).errors]).toEqual([422, [{ param: 'coverage', message }]])
  })
})
