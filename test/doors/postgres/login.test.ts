import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { features } from '../../../src/catalog/feature.ts'
import { openCertificate } from '../../../src/doors/http/tls.ts'
import { revokeKey } from '../../../src/keys/key-file.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { errorIn, RawClient, send } from '../../support/postgres/raw-client.ts'
import { gatedPostgres } from '../../support/postgres/served-postgres.ts'

const sql = [...features, 'Sql'] as const
const kept = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))

async function gated(isEncrypted = false) {
  const certificate = isEncrypted ? await openCertificate(kept('first.crt'), kept('first.key')) : undefined
  return await gatedPostgres(await smallLake(), { door: { certificate } })
}

/** Logs in with node-postgres, which has a SCRAM of its own. Returns a value, or SQLSTATE and sentence. */
async function ask(port: number, user: string, password: string, ssl: unknown = false) {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'ledgerlake', ssl })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select count(*)::integer as n from iot_reward_shares')
    return rows[0]?.n
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return [code, message]
  } finally {
    await client.end().catch(() => {})
  }
}

const unchecked = { rejectUnauthorized: false }

describe('a login', () => {
  it('needs the name of a key and the key, and says the same for all others', async () => {
    const { port, server } = await gated()
    const key = await server.newKey({ name: 'a tool', features: sql })
    const other = await server.newKey({ name: 'another', features: sql })
    await expect.poll(() => ask(port, 'a tool', key)).toBeGreaterThan(0)
    const refusedAs = (user: string) => ['28P01', `password authentication failed for user "${user}"`]
    expect(await ask(port, 'a tool', other)).toEqual(refusedAs('a tool'))
    expect(await ask(port, 'nobody', key)).toEqual(refusedAs('nobody'))
    await revokeKey(server.keyFile, 'a tool', new Date())
    await expect.poll(() => ask(port, 'a tool', key)).toEqual(refusedAs('a tool'))
  })

  it('shows the same salt again, for names of keys and for others', async () => {
    const { port, server } = await gated()
    await server.newKey({ name: 'a tool', features: sql })
    const saltOf = async (user: string) => {
      const client = await RawClient.open(port)
      client.write(send.startup({ user }))
      const first = await client.next()
      expect(first?.body.toString('latin1')).toBe('\0\0\0\nSCRAM-SHA-256\0\0')
      const words = Buffer.from('n,,n=,r=abcdefgh')
      const length = Buffer.alloc(4)
      length.writeInt32BE(words.length)
      const body = Buffer.concat([Buffer.from('SCRAM-SHA-256\0'), length, words])
      const head = Buffer.alloc(5, 'p')
      head.writeInt32BE(body.length + 4, 1)
      client.write(Buffer.concat([head, body]))
      const [, salt] = /,s=([^,]{24}),i=4096$/.exec(String((await client.next())?.body)) ?? []
      return salt
    }
    for (const user of ['a tool', 'nobody']) {
      const salt = await saltOf(user)
      expect(Buffer.from(salt ?? '', 'base64')).toHaveLength(16)
      expect(await saltOf(user)).toBe(salt)
    }
    expect(await saltOf('nobody')).not.toBe(await saltOf('somebody'))
  })

  it('with a key without the feature, or with a look-back, is refused in the words of REST', async () => {
    const { port, server } = await gated()
    const key = await server.newKey({ name: 'all but sql', features })
    const terms = { name: 'a month', features: sql, lookbackDays: 30 }
    const limited = await server.newKey(terms)
    // Keys without the feature have no verifier, so their password cannot be checked here.
    await expect
      .poll(() => ask(port, 'all but sql', key))
      .toEqual(['28P01', 'password authentication failed for user "all but sql"'])
    await expect
      .poll(() => ask(port, 'a month', limited))
      .toEqual([
        '42501',
        'SQL reads every table from its beginning, so the feature Sql is not for keys with a look-back; this one has 30 days.',
      ])
  })

  it('of a key that an older version added needs an encrypted connection', async () => {
    const { port, server } = await gated(true)
    const key = await server.newKey({ name: 'an old one', features: sql })
    const other = await server.newKey({ name: 'another old one', features: sql })
    const lines = (await readFile(server.keyFile, 'utf8')).split('\n').slice(1)
    await writeFile(
      server.keyFile,
      lines.map((line) => line.replace(/"scram":"[^"]*",/, '').trimEnd()).join('\n'),
    )
    await expect.poll(() => ask(port, 'an old one', key, unchecked)).toBeGreaterThan(0)
    expect(await ask(port, 'an old one', key)).toEqual(['28P01', expect.stringContaining('failed')])
    for (const wrong of [`${key}0`, other])
      expect(await ask(port, 'an old one', wrong, unchecked)).toEqual(['28P01', expect.any(String)])
    expect(await ask(port, 'nobody', key, unchecked)).toEqual(['28P01', expect.any(String)])
  })

  it('over TLS by SCRAM succeeds too', async () => {
    const { port, server } = await gated(true)
    const key = await server.newKey({ name: 'a tool', features: sql })
    await expect.poll(() => ask(port, 'a tool', key, unchecked)).toBeGreaterThan(0)
  })

  it('takes no bytes from before the encryption', async () => {
    const { port } = await gated(true)
    const client = await RawClient.open(port)
    client.write(send.ssl(), send.startup({ user: 'a tool' }))
    expect(errorIn((await client.next()) as never).C).toBe('08P01')
  })

  it('ends when its key is revoked, at the next statement', async () => {
    const { port, server } = await gated()
    const password = await server.newKey({ name: 'a tool', features: sql })
    await expect.poll(() => ask(port, 'a tool', password)).toBeGreaterThan(0)
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'a tool', password })
    client.on('error', () => {})
    await client.connect()
    await revokeKey(server.keyFile, 'a tool', new Date())
    await expect
      .poll(() =>
        client.query('select 1').then(
          () => undefined,
          (error) => error.code,
        ),
      )
      .toBe('28P01')
  })
})

describe('a prepared statement', () => {
  it.each([
    ['the feature', /,?"Sql"/, ''],
    ['its whole past', '"lookbackDays":null', '"lookbackDays":30'],
  ])('is refused once its key has lost %s', async (_, right, without) => {
    const { port, server } = await gated()
    const password = await server.newKey({ name: 'a tool', features: sql })
    await expect.poll(() => ask(port, 'a tool', password)).toBeGreaterThan(0)
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'a tool', password })
    client.on('error', () => {})
    await client.connect()
    cleanUp(async () => void client.end().catch(() => {}))
    const prepared = () =>
      client.query({ name: 's', text: 'select 1 as n' }).then(
        ({ rows }) => rows[0]?.n,
        (error) => error.code,
      )
    expect(await prepared()).toBe(1)
    const lines = (await readFile(server.keyFile, 'utf8')).split('\n').slice(1)
    const changed = lines.map((line) => (line.includes('a tool') ? line.replace(right, without) : line))
    expect(changed).not.toEqual(lines)
    await writeFile(server.keyFile, changed.map((line) => line.trimEnd()).join('\n'))
    await expect.poll(prepared).toBe('28P01')
  })
})

describe('a statement', () => {
  it('counts as a request of its key, if it succeeds', async () => {
    const { port, server } = await gated()
    const password = await server.newKey({ name: 'a tool', features: sql, quotaPer30Days: 2 })
    await expect.poll(() => ask(port, 'a tool', password)).toBeGreaterThan(0)
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'a tool', password })
    await client.connect()
    const stateOf = (text: string) =>
      client.query(text).then(
        () => 'none',
        (error) => error.code,
      )
    expect(await stateOf("select error('wrong') from iot_reward_shares")).not.toBe('none')
    expect(await stateOf('show server_version')).toBe('none')
    expect(await stateOf('select 1')).toBe('none')
    expect(await stateOf('select 1')).toBe('53400')
    await client.end()
  })
})
