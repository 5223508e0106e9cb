import { execFile } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainFormats } from '../../support/export/read-files.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { makeFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const CUTS = scaled(28, 1000)
const CURLS = scaled(4, 100)
const address = '/v1/net/l2/iot-reward-shares?from=2019-01-01&to=2027-01-01&format='

let server: TestServer
let end: () => Promise<void>
/** How many bytes of a reply pass before its connection is cut. */
let passed = Number.POSITIVE_INFINITY
let between: ReturnType<typeof createServer>
let url = ''

beforeAll(async () => {
  const made = await makeFolder()
  await copySmallLake(made.folder)
  server = await buildTestServer(made.folder)
  await server.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.server.address() as AddressInfo
  between = createServer((caller) => {
    let left = passed
    const own = connect(port, '127.0.0.1')
    caller.on('error', () => own.destroy()).pipe(own)
    own.on('error', () => caller.destroy())
    own.on('data', (bytes) => {
      caller.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left > 0) return
      own.destroy()
      caller.end()
    })
    own.on('end', () => caller.end())
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}${address}`
  end = async () => {
    between.close()
    await server.close()
    await made.remove()
  }
})

afterAll(() => end())

/** Bytes on the wire of a whole reply, and of its headers; every caller asks over a connection of its own. */
async function lengthOf(format: string): Promise<{ readonly all: number; readonly headers: number }> {
  passed = Number.POSITIVE_INFINITY
  const { stdout } = await promisify(execFile)('curl', ['-s', '--raw', '-i', url + format], {
    encoding: 'buffer',
    maxBuffer: 1e9,
  })
  return { all: stdout.length, headers: stdout.indexOf('\r\n\r\n') + 4 }
}

/** The same numbers from 0 to 1 in every run. */
const drawn = (number: number) => (number * 0.618_033_988_749_895) % 1

it('fetch accepts no truncated transfer as complete, wherever it is cut', async () => {
  const lengths = await Promise.all(plainFormats.map(lengthOf))
  const outcomes: string[] = []
  for (let cut = 0; cut < CUTS; cut += 1) {
    const format = cut % plainFormats.length
    passed = Math.floor(drawn(cut) * ((lengths[format]?.all ?? 0) - 1))
    const outcome = await fetch(url + plainFormats[format], {
      headers: { 'accept-encoding': 'identity' },
    }).then(
      (reply) =>
        reply.arrayBuffer().then(
          () => `whole after ${passed} bytes of ${lengths[format]?.all}`,
          () => 'cut',
        ),
      () => 'cut',
    )
    outcomes.push(outcome)
  }
  expect(outcomes).toEqual(Array(CUTS).fill('cut'))
})

it('curl accepts no truncated transfer as complete, wherever it is cut', async () => {
  const lengths = await Promise.all(plainFormats.map(lengthOf))
  const codes: unknown[] = []
  for (let cut = 0; cut < CURLS; cut += 1) {
    const format = cut % plainFormats.length
    // A reply that ends within its headers is no error to curl; it has no body then.
    const { all = 0, headers = 0 } = lengths[format] ?? {}
    passed = headers + Math.floor(drawn(cut) * (all - headers - 1))
    const failed = await promisify(execFile)('curl', [
      '-s',
      '-o',
      '/dev/null',
      url + plainFormats[format],
    ]).then(
      () => undefined,
      ({ code }: { code: unknown }) => code,
    )
    codes.push(failed)
  }
  // 18: a transfer that ended early; 52: nothing at all; 56: a connection that was reset.
  expect(codes).toHaveLength(CURLS)
  for (const code of codes) expect([18, 52, 56]).toContain(code)
})

it('fetch and curl accept a complete transfer', async () => {
  passed = Number.POSITIVE_INFINITY
  const reply = await fetch(`${url}csv`)
  const lines = (await reply.text()).trimEnd().split('\n')
  expect(lines).toHaveLength(1 + Number(reply.headers.get('ledgerlake-rows')))
  const { stdout } = await promisify(execFile)('curl', ['-s', `${url}csv`], { maxBuffer: 1e9 })
  expect(stdout.trimEnd().split('\n')).toEqual(lines)
})
