import { beforeEach, describe, expect, it } from 'vitest'
import { type Registered, registerTables } from '../../../src/engine/trino/register-tables.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { TableSnapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { openFakeTrino, rowsReply } from '../../support/trino/fake-trino.ts'

const name = 'iot_reward_shares'
const location = 'local:///srv/lake'
const options = {
  catalog: 'lake',
  schema: 'default',
  user: 'a',
  password: '',
  session: {},
  location,
  longestMs: 5000,
}

let tables: readonly TableSnapshot[]
beforeEach(async () => {
  const lake = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-31', 1, { beacon_amount: 7n })],
  })
  tables = (await new Lake(lake.folder).latest()).tables.filter(({ resource }) => resource.name === name)
})

/** A cluster that has these tables, each at a place. */
async function openCluster(places: Record<string, string>, committedAt = tables[0]?.committedAt) {
  const known = { ...places }
  return await openFakeTrino((sql) => {
    if (sql.startsWith('SHOW TABLES')) return rowsReply(['Table'], ...Object.keys(known).map((own) => [own]))
    if (sql.startsWith('SHOW CREATE'))
      return rowsReply(['Create'], [`CREATE TABLE x ( a bigint )\nWITH (\n   location = '${known[name]}'\n)`])
    const [, registered] = /table_name => '(\w+)'/.exec(sql) ?? []
    if (registered !== undefined) known[registered] = /table_location => '([^']+)'/.exec(sql)?.[1] ?? ''
    return rowsReply(['at'], [String(committedAt)])
  })
}

async function register(server: string): Promise<readonly Registered[]> {
  const done: Registered[] = []
  await registerTables({ ...options, server }, tables, (one) => done.push(one))
  return done
}

describe('registering', () => {
  it('creates the schema and registers the location of each table, and changes nothing the second time', async () => {
    const { server, statements } = await openCluster({})
    const own = { table: `lake.default.${name}`, location: `${location}/${name}` }
    expect(await register(server)).toEqual([{ ...own, was: 'registered' }])
    const sent = statements.map(({ sql }) => sql)
    expect(sent[0]).toBe('CREATE SCHEMA IF NOT EXISTS "lake"."default"')
    const call = `CALL "lake".system.register_table(schema_name => 'default', table_name => '${name}', table_location => '${location}/${name}')`
    expect(sent).toContain(call)
    expect(await register(server)).toEqual([{ ...own, was: 'known' }])
    expect(statements.filter(({ sql }) => sql.startsWith('CALL'))).toHaveLength(1)
  })

  it('refuses a table that is registered at another location, with advice', async () => {
    const { server, statements } = await openCluster({ [name]: 's3://bucket/other' })
    await expect(register(server)).rejects.toMatchObject({
      code: 'malformed_request',
      message: expect.stringMatching(
        /^lake\.default\.iot_reward_shares is registered at s3:\/\/bucket\/other, and the lake has it at local:\/\/\/srv\/lake\/iot_reward_shares\. .*--trino-schema/,
      ),
    })
    expect(statements.some(({ sql }) => sql.startsWith('CALL'))).toBe(false)
  })

  it('refuses a table of another lake at the same location', async () => {
    const { server } = await openCluster({ [name]: `${location}/${name}` }, 1_735_689_600_000)
    await expect(register(server)).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(
        /not that of this lake.* Trino says: "lake"\."default"\."iot_reward_shares" has no version 0 of 20/,
      ),
    })
  })

  it('reports the error of the cluster', async () => {
    const error = { errorName: 'CONFIGURATION_INVALID', message: 'no file system for s3://bucket' }
    const { server } = await openFakeTrino(() => [{ state: 'QUEUED' }, { error }])
    await expect(register(server)).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining('Trino says: CONFIGURATION_INVALID: no file system for s3://bucket'),
    })
  })

  it('names the required catalog settings if the cluster is read-only', async () => {
    const error = { errorName: 'PERMISSION_DENIED', message: 'Access Denied: Cannot create schema default' }
    const { server } = await openFakeTrino(() => [{ state: 'QUEUED' }, { error }])
    await expect(register(server)).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(
        /--trino-catalog has to name .* without delta\.security=READ_ONLY, .* Trino says: PERMISSION_DENIED: Access Denied/,
      ),
    })
  })
})
