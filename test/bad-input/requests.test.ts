import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { askRaw } from '../support/servers/ask-raw.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { matching } from './case.ts'
import { requests } from './cases/requests.ts'

/** What no caller may ever see: where code or data lies, how it is asked for, what it is made of. */
const inside =
  /node_modules|\.[cm]?[jt]s\b|\\n\s+at |\bat \S+ \(|_delta_log|parquet|SELECT|duckdb|fastify|zod|Error:/i

let folder = ''
let address = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'iot_reward_share.1.gz'), frameFile([operational(5)]))
  expect(await runMain(['ingest', 'in', '--lake', 'lake'], { cwd: folder })).toMatchObject({ code: 0 })
  address = (await startServing(['--lake', join(folder, 'lake'), '--port', '0'], { cwd: folder })).address
})

describe('a request that fails gets a status, a code and a message without internal details:', () => {
  it.each(requests.map((item) => [item.name, item] as const))('%s', async (_, item) => {
    const { status, head, body } = await askRaw(address, item.method ?? 'GET', item.address)
    const { error, code, errors = [] } = JSON.parse(body)
    expect(error).toMatch(matching(item.sentence))
    expect({ status, code }).toEqual({ status: item.status, code: item.code })
    expect(head).toMatch(/^content-type: application\/json/im)
    for (const { message } of errors) expect(error).toContain(message)
    expect(body).not.toMatch(inside)
    expect(body).not.toContain(folder)
    expect(body.length).toBeLessThan(3000)
  })

  it('and the server answers the next one', async () => {
    const asked = await askRaw(
      address,
      'GET',
      '/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2026-01-01',
    )
    expect(asked.status).toBe(200)
    expect(asked.body).toContain('"total_amount":5}')
  })
})

it.each(['POST', 'PUT', 'PATCH'])(
  '%s with a body that is not JSON is refused because of its method',
  async (method) => {
    const { status, body } = await askRaw(address, method, '/v1/net/l2/iot-reward-shares', '{"a":')
    expect([status, JSON.parse(body).code]).toEqual([405, 'method_not_allowed'])
  },
)
