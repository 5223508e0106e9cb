import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../src/catalog/feature.ts'
import type { KeyTerms } from '../../../src/keys/api-key.ts'
import { revokeKey } from '../../../src/keys/key-file.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'
import { pathOf, query, sharingOf } from '../../support/servers/sharing.ts'
import { some } from '../../support/some.ts'

const sharing: readonly KeyTerms['features'][number][] = [...features, 'Share']
let lake: string
let gated: GatedServer

beforeAll(async () => {
  lake = await smallLake()
  gated = await gatedServer(lake, { options: sharingOf(lake, { isOpen: false }) })
})

const ask = async (key?: string) => {
  const reply = await gated.ask('/delta-sharing/shares', key)
  return [reply.status, JSON.parse(reply.text)]
}

describe('with keys', () => {
  it('a client without a key, or with an unknown one, gets an error in the format of the protocol', async () => {
    expect(await ask()).toEqual([
      401,
      {
        errorCode: 'AUTHENTICATION_REQUIRED',
        message: 'Send your API key as `Authorization: Bearer <key>`.',
      },
    ])
    expect((await ask('nonsense'))[0]).toBe(401)
  })

  it.each<[string, Partial<KeyTerms>, string]>([
    [
      'without the feature',
      { features },
      'This operation needs the feature Share; the features of this key are: HotspotData, OracleData, Aggregates.',
    ],
    [
      'with a look-back',
      { features: sharing, lookbackDays: 30 },
      'Delta Sharing reads every table from its beginning, so the feature Share is not for keys with a look-back; this one has 30 days.',
    ],
    [
      'without all features',
      { features: ['HotspotData', 'OracleData', 'Share'] },
      'Delta Sharing reads every table, so the feature Share is for keys with HotspotData, OracleData, Aggregates; this one lacks Aggregates.',
    ],
  ])('a key %s gets 403, even if the key file grants Share', async (_what, terms, message) => {
    const key = await gated.newKey(terms)
    expect(await ask(key)).toEqual([403, { errorCode: 'FEATURE_NOT_AVAILABLE', message }])
    for (const path of ['makers/metadata', 'makers/version', 'makers/changes'])
      expect(
        (await gated.ask(`/delta-sharing/shares/ledgerlake/schemas/default/tables/${path}`, key)).status,
      ).toBe(403)
    expect((await query(gated.test.server, 'makers', {}, { key })).status).toBe(403)
  })

  it('a recipient needs its key for a table, but only the address for a file, until the key is revoked', async () => {
    const key = await gated.newKey({ name: 'a recipient', features: sharing })
    expect(await ask(key)).toEqual([200, { items: [{ name: 'ledgerlake' }] }])
    const [{ url }] = some((await query(gated.test.server, 'makers', {}, { key })).files)
    expect(url).not.toContain(key)
    const fetchFile = () => gated.ask(pathOf(url))
    expect((await fetchFile()).status).toBe(200)
    await revokeKey(gated.keyFile, 'a recipient', new Date())
    while ((await ask(key))[0] === 200) await setTimeout(10)
    expect((await ask(key))[0]).toBe(401)
    const { status, text } = await fetchFile()
    expect([status, JSON.parse(text)]).toEqual([
      403,
      { errorCode: 'FEATURE_NOT_AVAILABLE', message: 'This address was given to a key that was revoked.' },
    ])
  })

  it('requests count against rate and quota, and files do not', async () => {
    const key = await gated.newKey({ features: sharing, quotaPer30Days: 2 })
    const [{ url }] = some((await query(gated.test.server, 'makers', {}, { key })).files)
    for (let time = 0; time < 3; time += 1) expect((await gated.ask(pathOf(url))).status).toBe(200)
    expect((await ask(key))[0]).toBe(200)
    expect(await ask(key)).toMatchObject([402, { errorCode: 'USAGE_LIMIT_EXCEEDED' }])
  })
})

describe('without keys', () => {
  const closed =
    'This server needs no keys and shares nothing; it does with --open-share, and with keys that have the feature Share.'

  it('sharing is off by default', async () => {
    const { server } = await buildTestServer(lake, 60_000, undefined, sharingOf(lake, { isOpen: false }))
    const reply = await server.inject('/delta-sharing/shares')
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      { errorCode: 'FEATURE_NOT_AVAILABLE', message: closed },
    ])
    const open = await buildTestServer(lake, 60_000, undefined, sharingOf(lake))
    const [{ url }] = some((await query(open.server, 'makers')).files)
    expect((await open.server.inject(pathOf(url))).statusCode).toBe(200)
    expect((await server.inject(pathOf(url))).json().message).toBe(closed)
    const gone = await gated.ask(pathOf(url))
    expect(gone.text).toContain('This address was given to a key that was revoked.')
  })
})
