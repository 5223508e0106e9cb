import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { DataFile } from '../../../src/lake/facts/data-file.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const range = 'from=2019-01-01&to=2027-01-01'
const shares = `/l2/iot-reward-shares?${range}&per_page=100`
const others = ['/l2/makers', '/l2/hotspots', `/l2/mobile-reward-shares?${range}`, '/l1/rewards']
const query =
  '{ iotRewardShares(startPeriod: "2019-01-01", endPeriod: "2027-01-01", first: 9) { nodes { id } } }'

let lake = ''
let server: TestServer
let file: DataFile
let sound = ''
/** A copy as of `cp -p`. */
let copy = ''

beforeAll(async () => {
  lake = await smallLake()
  ;[file] = some((await new Lake(lake).latest()).table(iotRewardShares).files)
  // What was written just now is never kept by the engine.
  utimesSync(file.path, new Date('2026-01-01'), new Date('2026-01-01'))
  copy = join(await temporaryFolder(), 'copy')
  execFileSync('cp', ['-p', file.path, copy])
  server = await buildTestServer(lake)
  sound = (await server.get(shares)).text
})

/** Flips a bit; the file's own time stays, as when a disk does it. */
function flip(place: number): void {
  const { atime, mtime } = statSync(file.path)
  const bytes = readFileSync(copy)
  bytes.writeUInt8(bytes.readUInt8(place) ^ 4, place)
  writeFileSync(file.path, bytes)
  utimesSync(file.path, atime, mtime)
}

/** In place, with the time that it had. */
const repair = () => execFileSync('cp', ['-p', copy, file.path])

const refused = () => ({
  code: 'lake_damaged',
  error:
    `${relative(lake, file.path)} of the lake is damaged: its SHA-256 is another one. Answers that need it are refused ` +
    'until it is repaired: ledgerlake verify --lake DIR --repair',
})

describe('a file with a flipped bit while it is served', () => {
  it('makes responses that need it 503 with file and repair until it is repaired, and no others', async () => {
    const before = await Promise.all(others.map((path) => server.get(path)))
    flip(Math.floor(file.bytes / 2))
    const { status, text } = await server.get(shares)
    expect([status, JSON.parse(text)]).toEqual([503, refused()])
    const { errors, data } = await askGraphql(server.server, query)
    expect([data, errors[0]?.message]).toEqual([null, refused().error])
    expect((await server.server.inject('/readyz')).statusCode).toBe(200)
    const meanwhile = await Promise.all(others.map((path) => server.get(path)))
    expect(meanwhile.map(({ status, text }) => [status, text])).toEqual(before.map(({ text }) => [200, text]))
    repair()
    expect((await server.get(shares)).text).toBe(sound)
  })

  it('is refused at any position of the bit', async () => {
    const places = Array.from({ length: 20 }, (_, step) => Math.floor((step * (file.bytes - 1)) / 19))
    for (const place of places) {
      flip(place)
      expect(await server.get(shares)).toMatchObject({ status: 503 })
    }
    repair()
    expect((await server.get(shares)).text).toBe(sound)
  })

  it('is found by the next check although its times are unchanged, and cached content of the engine is dropped', async () => {
    let wrong = 0
    // Where Parquet says what lies where, which the engine keeps.
    for (const fromEnd of [25, 100, 175, 400]) {
      flip(file.bytes - fromEnd)
      const { checkedFiles, get, close } = await buildTestServer(lake)
      checkedFiles.verdicts.learn({ ...(await checkedFiles.check(file)), fault: undefined, isSettled: true })
      if ((await get(shares)).text !== sound) wrong += 1
      expect((await checkedFiles.check(file)).fault).toBe('its SHA-256 is another one')
      expect(await get(shares)).toMatchObject({ status: 503 })
      repair()
      expect((await get(shares)).text).toBe(sound)
      await close()
    }
    expect(wrong).toBeGreaterThan(0)
  })
})
