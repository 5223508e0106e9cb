import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { errorIn, RawClient, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

const CONNECTIONS = 500
let port: number
let metrics: () => Promise<string>

beforeAll(async () => {
  const served = await openPostgres(await smallLake(), { door: { mostConnections: CONNECTIONS } })
  ;({ port } = served)
  metrics = async () => (await served.server.server.inject({ url: '/metrics' })).body
})

const stateOf = async (bytes: Buffer) => {
  const client = await RawClient.open(port)
  client.write(bytes)
  const error = (await client.until('E')).at(-1)
  await client.next()
  return [error && errorIn(error).C, client.isClosed]
}

describe('a message', () => {
  it('that is too long is refused by its length, before its body arrives', async () => {
    const head = Buffer.alloc(8)
    head.writeInt32BE(10_001)
    expect(await stateOf(head)).toEqual(['08P01', true])
    const client = await RawClient.open(port)
    await client.start()
    client.write(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]))
    expect(errorIn((await client.next()) as never)).toMatchObject({ S: 'FATAL', C: '08P01' })
  })

  it('of HTTP or of an unknown type ends the connection', async () => {
    expect(await stateOf(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toEqual(['08P01', true])
    const client = await RawClient.open(port)
    await client.start()
    client.write(Buffer.from('?\0\0\0\x04', 'latin1'))
    expect(errorIn((await client.next()) as never)).toMatchObject({ C: '08P01' })
  })
})

describe('a client', () => {
  it('that asks for encryption without a certificate goes on in the clear', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(send.ssl())
    expect(String((await once(socket, 'data'))[0])).toBe('N')
    const client = new RawClient(socket)
    expect((await client.start()).at(-1)?.type).toBe('Z')
  })

  it('is one of many: idle ones cost nothing, the next is refused, and one that leaves makes room', async () => {
    const clients = await Promise.all(Array.from({ length: CONNECTIONS - 10 }, () => RawClient.open(port)))
    await Promise.all(clients.map((client) => client.start()))
    expect(await clients[0]?.rows('select 1')).toEqual([['1']])
    const more = await Promise.all(Array.from({ length: 30 }, () => RawClient.open(port)))
    const answers = await Promise.all(more.map((client) => client.start()))
    const refused = answers.map((all) => all.at(-1)).filter((last) => last?.type === 'E')
    expect(refused.length).toBeGreaterThan(0)
    expect(errorIn(refused[0] as never)).toMatchObject({ S: 'FATAL', C: '53300' })
    const measured = await metrics()
    expect(measured).toContain(`ledgerlake_connections_limit{door="postgres"} ${CONNECTIONS}`)
    expect(measured).toMatch(/ledgerlake_connections\{door="postgres"\} [1-9]/)
    expect(measured).toMatch(/ledgerlake_connections_refused_total\{door="postgres"\} [1-9]/)
    for (const client of [...clients, ...more]) client.socket.destroy()
    await expect.poll(async () => (await (await RawClient.open(port)).start()).at(-1)?.type).toBe('Z')
  })
})
