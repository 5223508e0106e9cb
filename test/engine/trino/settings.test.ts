import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { openServices } from '../../../src/services/services.ts'
import { readConfigFile } from '../../../src/services/settings/config-file.ts'
import { readSettings, secretOf } from '../../../src/services/settings/settings.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openFakeTrino } from '../../support/trino/fake-trino.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const lakeOfOne = async () =>
  (await makeLake({ 'iot/iot_reward_share.1.gz': [iotReward('2025-01-31', 1, { beacon_amount: 7n })] }))
    .folder

describe('a setting of Trino', () => {
  it.each([
    ['engine', 'spark', 'use duckdb or trino'],
    ['trino_server', 'trino:8080', 'use an address such as https://trino.example.org:8443'],
    ['trino_server', 'https://me:secret@trino', 'without a path and without a user'],
    ['trino_server', 'http://trino/ui', 'without a path'],
    ['trino_schema', 'My Lake', 'use lower-case letters'],
    ['trino_catalog', 'a"b', 'use lower-case letters'],
    ['trino_user', 'a:b', 'without a colon'],
    ['trino_session', 'retry_policy', 'use properties such as retry_policy=QUERY'],
    ['trino_session', 'query_max_run_time=1d', 'query_max_run_time follows from --request-timeout-ms'],
    ['trino_location', '/srv/lake', 'use an address such as local:///srv/lake'],
  ])('%s %s is refused with the accepted values', (name, text, advice) => {
    expect(() => readSettings({}, { [name]: text })).toThrow(advice)
  })

  it('of a session is read as its properties', () => {
    const { trino_session } = readSettings({}, { trino_session: 'retry_policy=QUERY, query_priority=2' })
    expect(trino_session).toEqual({ retry_policy: 'QUERY', query_priority: '2' })
  })

  it('that is secret is read from the environment alone, and never shown', async () => {
    const environment = { LEDGERLAKE_TRINO_PASSWORD: 'hush' }
    expect(JSON.stringify(readSettings(environment, {}))).not.toContain('hush')
    expect(secretOf('trino_password', environment)).toBe('hush')
    const path = join(await temporaryFolder(), 'own.json')
    writeFileSync(path, '{"trino_password": "hush"}')
    expect(() => readSettings({}, {}, readConfigFile(path))).toThrow(
      `trino_password in ${path} is a secret; set LEDGERLAKE_TRINO_PASSWORD in the environment`,
    )
    vi.stubEnv('LEDGERLAKE_TRINO_PASSWORD', 'hush')
    const { code, stdout } = await runMain(['config'])
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('hush')])
  })
})

describe('a cluster', () => {
  it('without an address, or with a password that would be sent in the clear, is refused', async () => {
    const lake = await lakeOfOne()
    const { code, stderr } = await runMain(['trino', 'register', '--lake', lake])
    expect([code, stderr]).toEqual([2, expect.stringContaining('set --trino-server, such as')])
    vi.stubEnv('LEDGERLAKE_TRINO_PASSWORD', 'hush')
    const clear = await runMain(['trino', 'register', '--lake', lake, '--trino-server', 'http://127.0.0.1:8'])
    expect([clear.code, clear.stderr]).toEqual([
      2,
      expect.stringContaining('a password is sent over https alone'),
    ])
    expect(clear.stderr).not.toContain('hush')
  })

  it('that is unreachable is reported in one sentence', async () => {
    const server = 'http://127.0.0.1:8'
    const { code, stderr } = await runMain([
      'trino',
      'register',
      '--lake',
      await lakeOfOne(),
      '--trino-server',
      server,
    ])
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/Trino cannot answer now.* Trino says: ECONNREFUSED/),
    ])
  })

  it('gets no statement for totals that the log answers', async () => {
    const lake = await lakeOfOne()
    const { server, statements } = await openFakeTrino(() => [{ status: 503 }])
    const services = await openServices(readSettings({}, { lake, engine: 'trino', trino_server: server }))
    const at = await services.lake.latest()
    expect(services.engine.byRowNumber).toBeUndefined()
    expect(services.repository.totals(iotRewardShares, {}, at).peek()).toMatchObject({
      total_beacon_amount: 7n,
    })
    expect(statements).toEqual([])
    const page = { page: 1, perPage: 25 }
    await expect(services.repository.list(iotRewardShares, {}, page, at).read()).rejects.toMatchObject({
      code: 'not_ready',
      status: 503,
    })
    await services.close()
  })
})
