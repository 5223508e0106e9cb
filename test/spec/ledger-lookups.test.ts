import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { MOST_PER_PAGE, walkList } from '../support/archive/ask.ts'
import { ledgerOperations, networkIn } from '../support/archive/operations.ts'
import type { ExactRecord } from '../support/archive/records.ts'
import { readExact } from '../support/exact-json.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const looked = ledgerOperations(networkIn(smallNetwork)).flatMap((operation) =>
  operation.lookup === undefined ? [] : [[operation.path, operation, operation.lookup] as const],
)

const encoded = encodeURIComponent

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer(await smallLake())
})

describe('a lookup', () => {
  const mixed = (text: string) =>
    [...text].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())).join('')

  it.each(looked)(
    'in %s finds records by their id, in any letter case, and by each key',
    async (path, operation, { keys }) => {
      const all = await walkList(server, operation, MOST_PER_PAGE)
      const records = all.filter((_, place) => place % scaled(30, 1) === 0)
      expect(records.length).toBeGreaterThan(0)
      for (const [index, record] of records.entries()) {
        const id = String(record.id)
        const forms = index % 5 === 0 ? [id, id.toUpperCase(), mixed(id)] : [id]
        for (const name of [...forms, ...keys.map((key) => encoded(String(record[key])))]) {
          const { status, text } = await server.get(`${path}/${name}`)
          expect(status, name).toBe(200)
          expect(readExact(text)).toEqual(record)
        }
      }
    },
  )

  it.each(looked)(
    'in %s without a result names the kind of record',
    async (path, operation, { keys, kind }) => {
      const [record] = await walkList(server, operation, MOST_PER_PAGE)
      const id = String(record?.id)
      const key = String(record?.[keys[0] ?? ''])
      const strangers = [
        ...[id.slice(0, -1), `${id}0`, id.replaceAll('-', ''), `{${id}}`, id.replace(/^./, 'g')],
        ...[id.replace(/.$/, (last) => (last === '0' ? '4' : '0')), '00000000-0000-0000-0000-000000000000'],
        ...['ffffffff-ffff-8fff-bfff-fffffffffffc', 'ffffffff-ffff-8fff-bfff-ffffffffffff'],
        ...[
          key.slice(0, -1),
          ` ${key}`,
          `${key} `,
          key.toLowerCase(),
          key.toUpperCase(),
          `${key}%`,
          '%',
          '_',
          '*',
        ],
        ...[
          'x'.repeat(400),
          'é'.repeat(400),
          ' ',
          '\0',
          `${key}\0`,
          "' OR '1'='1",
          '"; DROP TABLE x;--',
          '../x',
        ],
        ...['a/b', '%2e%2e', '?', '#', '1e3', 'null', 'undefined', '__proto__', 'constructor', '𝄞'],
      ]
      // Each list has other strangers than the one before it; all of them in the slow tier.
      const at = looked.findIndex(([own]) => own === path)
      for (const stranger of strangers.filter((_, place) => (place + at) % scaled(3, 1) === 0)) {
        const name = encoded(stranger)
        const { status, text } = await server.get(`${path}/${name}`)
        expect([status, text], name).toEqual([404, `{"error":"${kind} not found","code":"not_found"}`])
      }
    },
  )
})

describe('a lookup by an unusual key', () => {
  const odd = [
    ...[
      'a b',
      ' a',
      'a ',
      'a/b',
      'a?b',
      'a#b',
      'a%b',
      'a%20b',
      'a+b',
      'a&b=c',
      'a"b',
      "a'b",
      'a;b',
      'a,b',
      'a.b',
    ],
    ...[
      'a\\b',
      'a\nb',
      'a\tb',
      'é',
      '𝄞',
      'null',
      'a:id',
      ':id',
      '*',
      '\u202e',
      '\uffff',
      'totals',
      '.a',
      '..a',
      'a..',
    ],
    // Where one begins with another, only the whole key counts.
    ...[
      'x'.repeat(19),
      'x'.repeat(20),
      'x'.repeat(21),
      'x'.repeat(400),
      'é'.repeat(400),
      `${'x'.repeat(399)}y`,
    ],
    // A key in the form of an id.
    '00000000-0000-8000-8000-00000000000',
  ]
  let ledger: TestServer

  beforeAll(async () => {
    const home = await temporaryFolder()
    const folder = join(home, 'in', 'account_inventory')
    const lines = odd.map(
      (address, index) => `"${address.replaceAll('"', '""')}",${index},0,0,0,0,0,0,0,0,0,0\n`,
    )
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'data_xaa.csv.gz'), gzipSync(lines.join('')))
    const lake = join(home, 'lake')
    expect(await ingestInto(lake, [folder])).toMatchObject({
      stored: 1,
      rows: odd.length,
      refusedRows: 0,
      failed: [],
    })
    ledger = await buildTestServer(lake)
  })

  it.each(odd.map((key, index) => [JSON.stringify(key).slice(0, 40), key, index] as const))(
    'finds the record of %s, and so does the filter',
    async (_, key, index) => {
      const found = await ledger.get(`/l1/accounts/${encoded(key)}`)
      expect(found.status, found.text).toBe(200)
      const record = readExact<ExactRecord>(found.text)
      expect([record.address, record.balance]).toEqual([key, BigInt(index)])
      const { text } = await ledger.get(`/l1/accounts?address=${encoded(key)}`)
      expect(readExact<{ objects: readonly ExactRecord[] }>(text).objects).toEqual([record])
    },
  )

  it('accepts a plus sign in a path, and unneeded percent-encoding', async () => {
    for (const name of ['a+b', 'a%2Bb', '%61%2b%62']) {
      expect((await ledger.get(`/l1/accounts/${name}`)).text).toContain('"address":"a+b"')
    }
    expect((await ledger.get('/l1/accounts/a%2520b')).text).toContain('"address":"a%20b"')
    expect((await ledger.get('/l1/accounts/a%20b')).text).toContain('"address":"a b"')
  })
})
