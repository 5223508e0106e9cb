import { hostname, type NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { firstLines } from '../../src/cli/serving/first-lines.ts'
import { specifiedDialect } from '../../src/doors/dialect/dialect.ts'
import { readSettings } from '../../src/services/settings/settings.ts'

const inside = (address: string, rest: object = {}) =>
  ({ address, family: 'IPv4', internal: false, ...rest }) as NetworkInterfaceInfo
const interfaces = {
  lo: [inside('127.0.0.1', { internal: true })],
  eth0: [inside('192.168.1.20'), inside('fe80::1', { family: 'IPv6' })],
  wlan0: [inside('10.0.0.7')],
  docker0: [inside('172.17.0.1')],
}

function linesOf(host: string, given: typeof interfaces | object, more: Record<string, string> = {}) {
  const settings = readSettings({}, { lake: 'lake', host, ...more })
  const address = { port: 8080, address: host, family: 'IPv4' }
  const listening = {
    scheme: 'http',
    address,
    isLocked: true,
    current: undefined,
    queries: specifiedDialect.queries,
  } as const
  return firstLines(settings, listening, given as typeof interfaces).slice(0, -1)
}

it('a server on every address prints those that other devices can open, one per line', () => {
  expect(linesOf('0.0.0.0', interfaces)).toEqual([
    'ledgerlake serves lake at http://127.0.0.1:8080/',
    'On other devices of this network, open:',
    '  http://192.168.1.20:8080/',
    '  http://10.0.0.7:8080/',
  ])
  expect(linesOf('::', interfaces)).toContain('  http://192.168.1.20:8080/')
  expect(linesOf('127.0.0.1', interfaces)).toEqual(['ledgerlake serves lake at http://127.0.0.1:8080/'])
})

it('a server for clients of PostgreSQL prints the command of one', () => {
  expect(linesOf('127.0.0.1', interfaces, { postgres: '0.0.0.0:5432' }).slice(1)).toEqual([
    'It answers SQL as PostgreSQL does, with the name of a key and the key:',
    '  PGPASSWORD=$KEY psql -U NAME -h 127.0.0.1 -p 5432 ledgerlake',
  ])
})

it('a server on every address prints the name of a machine without a network, and the public URL if there is one', () => {
  expect(linesOf('0.0.0.0', { lo: interfaces.lo })).toContain(`  http://${hostname()}:8080/`)
  expect(linesOf('0.0.0.0', interfaces, { public_url: 'https://lake.example.org/v' }).slice(2)).toEqual([
    '  https://lake.example.org/v/',
  ])
})
