import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../../support/exact-json.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { type McpClient, mcpOver } from '../../support/servers/mcp-client.ts'
import { networks, specifiedLists } from '../../support/specified.ts'

const days = { from: '2025-01-28', to: '2025-02-01' }
const daysQuery = 'from=2025-01-28&to=2025-02-01'
const hotspot = '1125AK6oskKNDy5J9ek6gurdHjT7A4cWzcA6FBYi2JZEQFULLuzU'
const account = '12x1REmLmgkNLVBH2QP3VPLu5zfYEBbQ2Whed8XFzYJDNoec3Jf'

let test: TestServer
let mcp: McpClient

beforeAll(async () => {
  test = await buildTestServer(await smallLake())
  mcp = await mcpOver(test.server)
})

interface Reply {
  readonly snapshot: string
  readonly units: Readonly<Record<string, string>>
  readonly rows?: { readonly first: bigint; readonly count: bigint; readonly total: bigint }
  readonly next?: { readonly cursor: string; readonly how: string } | null
  readonly answer: Readonly<Record<string, unknown>>
}

async function replyTo(name: string, given: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { isError, text } = await mcp.call(name, given)
  if (isError) throw new Error(text)
  return readExact<Reply>(text)
}

/** The body that REST sends, with integers as text. */
async function restText(path: string): Promise<string> {
  const { status, text } = await test.get(`${path}${path.includes('?') ? '&' : '?'}integers=string`)
  if (status !== 200) throw new Error(text)
  return text
}

/** All records of a list, page by page. */
async function restRecords(path: string, envelope: string): Promise<readonly unknown[]> {
  const records: unknown[] = []
  for (let page = 1; ; page += 1) {
    const paged = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`
    const body = readExact<Record<string, readonly unknown[]>>(await restText(paged))
    records.push(...(body[envelope] ?? []))
    if ((body.meta as unknown as { next_page: bigint | null }).next_page === null) return records
  }
}

describe('a tool answers byte for byte as REST does, with integers as text:', () => {
  it.each([
    ['totals', { resource: 'iot_reward_shares', ...days }, `/l2/iot-reward-shares/totals?${daysQuery}`],
    [
      'totals',
      { resource: 'iot_reward_shares', ...days, coverage: true },
      `/l2/iot-reward-shares/totals?${daysQuery}&coverage=true`,
    ],
    [
      'totals',
      { resource: 'iot_reward_shares', ...days, hotspot_key: hotspot },
      `/l2/iot-reward-shares/totals?${daysQuery}&hotspot_key=${hotspot}`,
    ],
    ['totals', { resource: 'mobile_reward_shares', ...days }, `/l2/mobile-reward-shares/totals?${daysQuery}`],
    ['lookup', { resource: 'l1_accounts', id: account }, `/l1/accounts/${account}`],
    [
      'lookup',
      { resource: 'hotspots', id: '489d2a16-784f-4708-8315-2338cf9252fd' },
      '/l2/hotspots/489d2a16-784f-4708-8315-2338cf9252fd',
    ],
    [
      'lookup',
      { resource: 'makers', id: '761eb001-b63a-4576-a950-d4025c63b67a' },
      '/l2/makers/761eb001-b63a-4576-a950-d4025c63b67a',
    ],
    [
      'lookup',
      { resource: 'l1_transactions', id: '474a58a2-a099-8ca3-83b1-9f9b74049a88' },
      '/l1/transactions/474a58a2-a099-8ca3-83b1-9f9b74049a88',
    ],
    [
      'series',
      { resource: 'iot_reward_shares', ...days },
      `/l2/iot-reward-shares/totals/series?${daysQuery}`,
    ],
    [
      'series',
      { resource: 'l1_rewards', from: '2020-09-13', to: '2020-09-14', interval: 'week' },
      '/l1/rewards/series?from=2020-09-13&to=2020-09-14&interval=week',
    ],
    ['status', {}, '/status'],
    ['status', { from: '2025-01-31' }, '/status?from=2025-01-31'],
  ])('%s %j', async (name, given, path) => {
    const { isError, text } = await mcp.call(name, given)
    const rest = await restText(path)
    expect(isError).toBe(false)
    expect(text.slice(text.indexOf('"answer":'))).toBe(`"answer":${rest}}`)
  })

  it.each([
    ['112', 10],
    [account, 1],
    ['nobody-has-this', 0],
  ])('search for %s, which has no integers', async (q, hits) => {
    const { isError, text } = await mcp.call('search', { q })
    const rest = await test.get(`/search?q=${q}`)
    expect([isError, rest.status, JSON.parse(rest.text).hits.length]).toEqual([false, 200, hits])
    expect(text.slice(text.indexOf('"answer":'))).toBe(`"answer":${rest.text}}`)
    const { snapshot, units } = await replyTo('search', { q })
    expect([snapshot, Object.keys(units)]).toEqual([rest.headers['ledgerlake-snapshot'], ['all']])
  })

  it('series of groups with coverage', async () => {
    const given = {
      resource: 'mobile_reward_shares',
      ...days,
      group_by: 'hotspot',
      interval: 'all',
      limit: 5,
      coverage: true,
    }
    const { answer, rows } = await replyTo('series', given)
    const rest = readExact(
      await restText(
        `/l2/mobile-reward-shares/totals/series?${daysQuery}&group_by=hotspot&interval=all&limit=5&coverage=true`,
      ),
    )
    expect(answer).toEqual(rest)
    expect(rows?.count).toBe(BigInt((rest.records as unknown[]).length))
    expect(rows?.count).toBeGreaterThan(5n)
  })
})

describe('paging by cursor', () => {
  it.each([
    ['iot_reward_shares', days, `/l2/iot-reward-shares?${daysQuery}`, 'records', 457],
    [
      'mobile_reward_shares',
      { ...days, reward_type: 'gateway_reward' },
      `/l2/mobile-reward-shares?${daysQuery}&reward_type=gateway_reward`,
      'records',
      undefined,
    ],
    ['hotspots', {}, '/l2/hotspots', 'records', 120],
    ['l1_transactions', {}, '/l1/transactions', 'objects', 360],
    ['l1_packets', {}, '/l1/packets', 'objects', 52],
  ])(
    'returns the records of %s in the order of the pages of REST',
    async (resource, filters, path, envelope, known) => {
      const expected = await restRecords(path, envelope)
      if (known !== undefined) expect(expected).toHaveLength(known)
      for (const rows of [1000, 37]) {
        const records: unknown[] = []
        let cursor: string | undefined
        let first = 1n
        do {
          const reply = await replyTo('list', {
            resource,
            ...filters,
            rows,
            ...(cursor !== undefined && { cursor }),
          })
          const own = reply.answer[envelope] as readonly unknown[]
          expect(reply.rows).toEqual({ first, count: BigInt(own.length), total: BigInt(expected.length) })
          expect(own.length).toBeLessThanOrEqual(rows)
          first += BigInt(own.length)
          records.push(...own)
          cursor = reply.next?.cursor
        } while (cursor !== undefined)
        expect(records).toEqual(expected)
      }
    },
  )

  it('returns every row of a series', async () => {
    const query = `${daysQuery}&group_by=hotspot&limit=100`
    const { records: all } = readExact<{ records: readonly unknown[] }>(
      await restText(`/l2/iot-reward-shares/totals/series?${query}`),
    )
    const given = { resource: 'iot_reward_shares', ...days, group_by: 'hotspot', limit: 100 }
    for (const rows of [1000, 60]) {
      const records: unknown[] = []
      let cursor: string | undefined
      do {
        const reply = await replyTo('series', { ...given, rows, ...(cursor !== undefined && { cursor }) })
        expect(reply.rows?.total).toBe(381n)
        records.push(...(reply.answer.records as readonly unknown[]))
        cursor = reply.next?.cursor
      } while (cursor !== undefined)
      expect(records).toEqual(all)
    }
  })

  it('refuses a cursor of another request or of no reply', async () => {
    const { next } = await replyTo('list', { resource: 'hotspots', rows: 5 })
    const other = { resource: 'hotspots', networks: 'iot', cursor: next?.cursor }
    expect((await mcp.call('list', other)).text).toContain(
      'cursor belongs to another request; use the arguments of the reply that it came from.',
    )
    const made = await mcp.call('list', { resource: 'hotspots', cursor: 'x' })
    expect(made).toMatchObject({ isError: true })
    expect(made.text).toContain('cursor is \\"x\\"; use next.cursor of a reply.')
  })
})

describe('a reply', () => {
  it('has 100 rows by default, and names its snapshot and units', async () => {
    const { snapshot, units, rows, next, answer } = await replyTo('list', { resource: 'l1_accounts' })
    expect([rows?.count, next, (answer.objects as unknown[]).length]).toEqual([60n, null, 60])
    const status = readExact(await restText('/status'))
    expect(snapshot).toBe(status.snapshot)
    expect(units).toMatchObject({
      balance: 'Main tokens, in bones; a token is 100,000,000 bones.',
      dc_balance: 'Data Credits.',
    })
    const many = await replyTo('list', { resource: 'l1_packets' })
    expect(many.rows?.count).toBe(52n)
    const transactions = await replyTo('list', { resource: 'l1_transactions' })
    expect(transactions.rows).toEqual({ first: 1n, count: 100n, total: 360n })
    expect(transactions.next?.how).toBe('Call list with the same arguments and this cursor.')
  })

  it('has at most 50,000 characters, and ends after a whole row', async () => {
    const { isError, text } = await mcp.call('list', { resource: 'iot_reward_shares', ...days, rows: 1000 })
    expect(isError).toBe(false)
    expect(text.length).toBeLessThanOrEqual(50_000)
    // It is full: another record would not have fitted, and room for a cursor is kept.
    expect(text.length).toBeGreaterThan(46_000)
    const { rows, answer } = readExact<Reply>(text)
    expect(rows?.count).toBe(BigInt((answer.records as unknown[]).length))
    expect(rows?.total).toBe(457n)
  })

  it('of more than 1,000 rows or of less than one is refused', async () => {
    for (const rows of [1001, 0, -1, '1e2', 1.5]) {
      const { isError, text } = await mcp.call('list', { resource: 'hotspots', rows })
      expect([rows, isError, text.includes('rows is ')]).toEqual([rows, true, true])
    }
    expect((await mcp.call('list', { resource: 'hotspots', rows: 1001 })).text).toContain(
      'rows is \\"1001\\"; use a whole number from 1 to 1000.',
    )
  })
})

describe('an error', () => {
  it.each([
    [
      'totals',
      { resource: 'iot_reward_shares', from: 'yesterday' },
      '/l2/iot-reward-shares/totals?from=yesterday',
    ],
    ['totals', { resource: 'iot_reward_shares' }, '/l2/iot-reward-shares/totals'],
    [
      'totals',
      { resource: 'iot_reward_shares', ...days, reward_type: 'gateway' },
      `/l2/iot-reward-shares/totals?${daysQuery}&reward_type=gateway`,
    ],
    [
      'series',
      { resource: 'iot_reward_shares', ...days, tz: 'Mars' },
      `/l2/iot-reward-shares/totals/series?${daysQuery}&tz=Mars`,
    ],
    ['lookup', { resource: 'makers', id: 'nobody' }, '/l2/makers/nobody'],
    ['search', {}, '/search'],
    ['search', { q: 'ab', as_of: 'x1-0' }, '/search?q=ab&as_of=x1-0'],
    ['search', { query: 'abc' }, '/search?query=abc'],
    ['list', { resource: 'hotspots', as_of: 'x1-0' }, '/l2/hotspots?as_of=x1-0'],
  ])('of %s %j has the text and the errors of REST', async (name, given, path) => {
    const { isError, text } = await mcp.call(name, given)
    const rest = await test.get(path)
    expect(rest.status).toBeGreaterThanOrEqual(400)
    expect([isError, text]).toEqual([true, rest.text])
  })

  it('lists all wrong arguments at once, including unknown names', async () => {
    const { text } = await mcp.call('list', { resource: 'hotspots', limit: 3, networks: 'smoke', page: 2 })
    const { errors } = readExact<{ errors: readonly { param: string; message: string }[] }>(text)
    expect(errors.map(({ param }) => param)).toEqual(['limit', 'page', 'networks'])
    expect(errors[0]?.message).toMatch(/^limit is not a parameter here; use owner, .*as_of, rows, cursor$/)
  })

  it('names arguments that are not text, and numbers that JSON has rounded', async () => {
    const given = {
      resource: 'hotspots',
      owner: ['a'],
      iot_location: Number('631280284262249471'),
      maker_id: { x: 1 },
    }
    const { text } = await mcp.call('list', given)
    expect(readExact<{ error: string }>(text).error).toBe(
      'owner is a list; give it as text. iot_location is a number that is not read exactly; give it as text. maker_id is an object; give it as text.',
    )
  })

  it('suggests a resource for an unknown one, and lists the tools for an unknown tool', async () => {
    expect((await mcp.call('list', { resource: 'hotspot' })).text).toContain('did you mean hotspots?')
    await expect(mcp.call('lists', {})).rejects.toThrow(
      'The tool is "lists"; use one of status, search, list, lookup, totals, series',
    )
  })
})

describe('the tools', () => {
  it('are seven, each with a schema of the arguments of its resources', async () => {
    const { tools } = await mcp.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['status', 'search', 'list', 'lookup', 'totals', 'series', 'earnings'],
    ])
    const list = tools.find(({ name }) => name === 'list')
    expect(list?.inputSchema).toMatchObject({
      type: 'object',
      required: ['resource'],
      additionalProperties: false,
    })
    const search = tools.find(({ name }) => name === 'search')
    expect(search?.inputSchema).toMatchObject({ required: ['q'], additionalProperties: false })
    expect(search?.inputSchema.properties).toMatchObject({
      q: {
        type: 'string',
        minLength: 3,
        description: expect.stringMatching(/^A name, a key.* its first 3 to 200 characters\./),
      },
      as_of: { type: 'string' },
    })
    const properties = list?.inputSchema.properties as Record<string, Record<string, unknown>>
    expect(properties.resource?.enum).toEqual(specifiedLists.map(({ table }) => table))
    expect(properties.rows).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000, default: 100 })
    expect(properties.from?.description).toContain(
      `${networks.map((id) => `${id}_reward_shares`).join(', ')}: Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given.`,
    )
    expect(Object.keys(properties)).not.toContain('page')
    // Some clients accept no choice of schemas at the top.
    for (const { inputSchema } of tools) expect(Object.keys(inputSchema)).not.toContain('oneOf')
  })
})
