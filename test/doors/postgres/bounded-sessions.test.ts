import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { elementsOfText } from '../../../src/answers/sql/postgres-catalog/array-text.ts'
import { Connections } from '../../../src/doors/postgres/connections.ts'
import type { SessionState } from '../../../src/doors/postgres/session/state.ts'
import { commandOf } from '../../../src/doors/postgres/statements/command.ts'
import { SocketChannel } from '../../../src/doors/postgres/wire/socket-channel.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { growingLake } from '../../support/live/growing-lake.ts'
import { errorIn, RawClient, rowIn, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'
import { waitFor } from '../../support/wait.ts'

const MEGABYTE = 2 ** 20
let port: number
let client: RawClient

const opened = async (at: number) => {
  const one = await RawClient.open(at)
  await one.start()
  return one
}

beforeAll(async () => {
  port = (await openPostgres(await smallLake())).port
  client = await opened(port)
})

describe('a session', () => {
  it('keeps no endless names', async () => {
    const long = 'a'.repeat(1001)
    await client.ask(send.query('begin'))
    for (const text of [`declare ${long} cursor for select 1`, `savepoint ${long}`, `set ${long} to 1`]) {
      expect(await client.stateOf(text)).toBe('42622')
      await client.ask(send.query('rollback; begin'))
    }
    await client.ask(send.query('rollback'))
    const [error] = await client.ask(send.parse(long, 'select 1'), send.sync())
    expect(errorIn(error as never).C).toBe('42622')
  })

  it('keeps at most 200 settings that the server does not have', async () => {
    const one = await opened(port)
    const sets = Array.from({ length: 201 }, (_, index) => `set my.name${index} to 1`)
    expect(await one.stateOf(sets.slice(0, 200).join(';'))).toBeUndefined()
    expect(await one.stateOf(sets[200] ?? '')).toBe('53400')
    expect(await one.stateOf(sets[0] ?? '')).toBeUndefined()
    expect(await one.stateOf(`reset all; ${sets[200]}`)).toBeUndefined()
  })

  it.each([
    ['statements', (index: number) => [send.parse(`s${index}`, `select 1 /*${'x'.repeat(MEGABYTE / 2)}*/`)]],
    [
      'values of portals',
      (index: number) => [
        send.parse('', 'select $1'),
        send.bind(`p${index}`, '', ['x'.repeat(MEGABYTE / 2)]),
      ],
    ],
  ])('keeps at most eight million characters of %s', async (_, messages) => {
    const one = await opened(port)
    await one.ask(send.query('begin'))
    const states: (string | undefined)[] = []
    for (let index = 0; index < 17; index += 1) {
      const error = (await one.ask(...messages(index), send.sync())).find(({ type }) => type === 'E')
      states.push(error && errorIn(error).C)
      if (error !== undefined) break
    }
    expect(states.length).toBeGreaterThan(7)
    expect(states.at(-1)).toBe('53400')
    expect(states.filter((state) => state !== undefined)).toHaveLength(1)
  })

  it('sends the replies to many small messages as its client reads them', async () => {
    const one = await opened(port)
    const name = 'n'.repeat(60_000)
    await one.ask(send.parse('', `select 1 as "${name}"`), send.sync())
    one.socket.pause()
    const before = process.memoryUsage().arrayBuffers
    // 600 MB of replies to 70 kB of messages.
    one.write(...Array.from({ length: 10_000 }, () => send.describe('S')), send.sync())
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MEGABYTE)
    one.socket.destroy()
    expect(await client.rows('select 1')).toEqual([['1']])
  })

  it('lets other connections go on between its messages', async () => {
    const channel = new SocketChannel(new PassThrough() as unknown as Socket, 1000)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    // Without turns of the event loop the timer never runs, and this ends by the clock.
    const end = performance.now() + 5000
    while (turns < 2 && performance.now() < end) await channel.sendPieces()
    clearInterval(timer)
    expect(turns).toBe(2)
  })

  it('sees one snapshot in a transaction, and the newest after it', async () => {
    const { lake, input } = await growingLake(1)
    const growing = await openPostgres(lake, {}, 20)
    const [held, other] = [await opened(growing.port), await opened(growing.port)]
    const at = async (of: RawClient) => (await of.rows('select snapshot from lake_snapshot'))[0]?.[0]
    await held.ask(send.query('begin'))
    const first = await at(held)
    await ingestInto(lake, [input])
    await waitFor(async () => expect(await at(other)).not.toBe(first))
    expect(await at(held)).toBe(first)
    await held.ask(send.query('commit'))
    expect(await at(held)).toBe(await at(other))
  })
})

describe('a text of many blanks', () => {
  const blanks = ' '.repeat(100_000)

  it.each([
    [`copy ${blanks}makers (id) to stdout`, 'SELECT id FROM'],
    [`copy makers${blanks}(id)${blanks}to stdout`, 'SELECT id FROM makers'],
    [`copy makers (id)${blanks}x to stdout`, '42601'],
  ])('is read once, by COPY', (text, expected) => {
    const read = () => {
      const command = commandOf(text)
      return 'text' in command ? command.text : command.kind
    }
    if (expected === '42601') expect(read).toThrow('COPY needs a table')
    else expect(read().replaceAll(/ +/g, ' ')).toContain(expected)
  })

  it('is read once, as an array', () => {
    expect(elementsOfText(`{${blanks}a{}`)).toBeUndefined()
    expect(elementsOfText(`{${blanks}a b${blanks},"c ",\\ d\\ ${blanks}, NULL }`)).toEqual([
      'a b',
      'c ',
      ' d ',
      null,
    ])
  })
})

it('an element of an array is not read as SQL', async () => {
  const hostile = `{"'', getenv('HOME')]; drop view makers --",\\"\\\\',it''s}`
  const messages = await client.ask(
    send.parse('', 'select unnest($1::text[])', [1009]),
    ...[send.bind('', '', [hostile]), send.execute(), send.sync()],
  )
  const rows = messages.filter(({ type }) => type === 'D').map((row) => String(rowIn(row)[0]))
  expect(rows).toEqual(["'', getenv('HOME')]; drop view makers --", `"\\'`, "it''s"])
})

it('COPY of a table with more columns than a statement has words for other checks sends all', async () => {
  const columns = Array.from({ length: 60 }, () => 'name').join(', ')
  expect(commandOf(`copy makers (${columns}) to stdout`)).toMatchObject({
    kind: 'copy',
    text: expect.stringContaining(columns),
  })
})

it('a cancel request needs the id and the secret of a session', () => {
  const connections = new Connections(1)
  const cancel = vi.fn()
  const key = connections.register({ cancel } as unknown as SessionState)
  const other = { id: key.id, secret: key.secret ^ 1 }
  expect([connections.cancel(other), connections.cancel({ ...key, id: key.id ^ 1 })]).toEqual([false, false])
  expect(cancel).not.toHaveBeenCalled()
  expect(connections.cancel(key)).toBe(true)
  connections.forget(key)
  expect(connections.cancel(key)).toBe(false)
  expect(cancel).toHaveBeenCalledTimes(1)
})
