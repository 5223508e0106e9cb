import { beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../../src/base/errors.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { RawClient, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

/** A long run sets more: BROKEN_MESSAGES=1000000 TEST_TIER=slow npx vitest run test/doors/postgres/broken-messages.slow.test.ts */
const messages = Number(process.env.BROKEN_MESSAGES ?? 20_000)
const PER_CONNECTION = 50
const AT_ONCE = 20

/** Numbers below `most`, the same for the same seed: xorshift. */
function numbers(seed: number) {
  let state = seed | 1
  return (most: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % most
  }
}

type Random = ReturnType<typeof numbers>

const texts = [
  ...[
    'begin',
    'commit',
    'rollback',
    'show all',
    'set a to b',
    'discard all',
    'fetch 1 from c',
    '',
    ';;',
    "'",
  ],
  ...['declare c cursor for select 1', 'copy x from stdin', 'savepoint a', 'select $1', 'é\u0000'],
]

const makers: readonly ((random: Random) => Buffer)[] = [
  (random) => send.query(texts[random(10)] ?? ''),
  (random) => send.parse(['', 's'][random(2)] ?? '', texts[random(10)] ?? '', [random(3000), 0xffffffff | 0]),
  (random) => send.bind('', 's', [null, Buffer.alloc(random(9))], { formats: [random(2)], results: [1] }),
  (random) => send.describe(random(2) === 0 ? 'S' : 'P', ['', 's'][random(2)]),
  (random) => send.execute(['', 'c'][random(2)], random(5)),
  () => send.close('S', 's'),
  () => send.sync(),
  (random) => send.startup({ user: 'a', options: String(random(1000)) }),
  () => send.cancel(1, 2),
  () => send.ssl(),
]

function broken(random: Random): Buffer {
  const bytes = Buffer.from(makers[random(makers.length)]?.(random) ?? [])
  switch (random(6)) {
    case 0:
      return bytes.subarray(0, random(bytes.length))
    case 1:
      bytes.writeUInt8(random(256), random(bytes.length))
      return bytes
    case 2:
      if (bytes.length > 5) bytes.writeInt32BE([0, -1, 3, 2 ** 31 - 1, random(100)][random(5)] ?? 0, 1)
      return bytes
    case 3:
      return Buffer.concat([bytes, Buffer.from(Array.from({ length: random(20) }, () => random(256)))])
    case 4:
      if (bytes.length > 8) bytes.writeInt16BE(random(65_536) - 32_768, 5 + random(bytes.length - 7))
      return bytes
    default:
      return bytes
  }
}

let port: number
beforeAll(async () => {
  // The door alone: the engine has tests of its own, and takes milliseconds.
  const open = async () => fail('not_ready', 'The engine rests.')
  port = (await openPostgres(await smallLake(), { door: { open } })).port
})

/** Sends broken messages over one connection until the server or this side ends it. */
async function attack(seed: number): Promise<number> {
  const random = numbers(seed)
  const client = await RawClient.open(port)
  let sent = 0
  if (random(4) > 0) await client.start()
  while (sent < PER_CONNECTION && !client.isClosed) {
    client.write(broken(random))
    sent += 1
    if (random(8) === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  client.socket.end()
  const closing = new Promise((resolve) => client.socket.once('close', resolve))
  setTimeout(() => client.socket.destroy(), 20).unref()
  if (!client.isClosed) await closing
  return sent
}

describe('broken messages', () => {
  it('end connections, never the process, which answers afterwards', async () => {
    let [sent, seed] = [0, 1]
    const run = async () => {
      while (sent < messages) {
        seed += 1
        sent += await attack(seed * 2_654_435_761)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, run))
    expect(sent).toBeGreaterThanOrEqual(messages)
    const client = await RawClient.open(port)
    await client.start()
    expect(await client.rows('show server_encoding')).toEqual([['UTF8']])
    expect(process.memoryUsage().rss).toBeLessThan(2 ** 31)
  })
})
