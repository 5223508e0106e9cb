import { once } from 'node:events'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, it } from 'vitest'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { mcpClient, mcpOverAddress, type Revision } from '../../support/servers/mcp-client.ts'
import { program, runProgram, startProgram, startServing } from '../../support/servers/run-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const days = { from: '2025-01-28', to: '2025-02-01' }
const requests: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['status', {}],
  ['totals', { resource: 'iot_reward_shares', ...days }],
  ['series', { resource: 'mobile_reward_shares', ...days, group_by: 'owner' }],
  ['list', { resource: 'iot_reward_shares', ...days, rows: 30 }],
  ['list', { resource: 'hotspots', limit: 1 }],
  ['lookup', { resource: 'hotspots', id: '489d2a16-784f-4708-8315-2338cf9252fd' }],
  ['lookup', { resource: 'hotspots' }],
  ['search', { q: 'Maker' }],
  ['search', { q: 'Ma' }],
  ['sql', { statement: 'select token, count(*) from iot_rewards group by token order by token' }],
  ['sql', { statement: "select * from read_text('lake/_keys/keys.ndjson')" }],
]

let folder = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  await copySmallLake(join(folder, 'lake'))
})

async function overStdio(pin?: Revision) {
  const [command = '', ...args] = program
  const transport = new StdioClientTransport({
    ...{ command, args: [...args, 'mcp', '--lake', 'lake'], cwd: folder, stderr: 'pipe' },
  })
  return await mcpClient(transport, pin)
}

describe('ledgerlake mcp', () => {
  it('answers over stdio as a server does over HTTP, byte for byte', async () => {
    const mcp = await overStdio()
    const flags = ['--lake', 'lake', '--port', '0', '--open-sql']
    const { address } = await startServing(flags, { cwd: folder })
    const http = await mcpOverAddress(address)
    expect(await mcp.names()).toEqual([
      'status',
      'search',
      'list',
      'lookup',
      'totals',
      'series',
      'earnings',
      'sql',
    ])
    expect(await mcp.names()).toEqual(await http.names())
    for (const [name, given] of requests)
      expect(await mcp.call(name, given)).toEqual(await http.call(name, given))
    const { text } = await mcp.call('totals', { resource: 'iot_reward_shares', ...days })
    const rest = await fetch(
      `${address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01&integers=string`,
    )
    expect(text.endsWith(`"answer":${await rest.text()}}`)).toBe(true)
  })

  it('answers a client of revision 2026-07-28 as one of an older revision', async () => {
    const [old, recent] = [await overStdio(), await overStdio('2026-07-28')]
    expect(recent.client.getProtocolEra()).toBe('modern')
    expect(await recent.names()).toEqual(await old.names())
    for (const [name, given] of requests)
      expect(await recent.call(name, given)).toEqual(await old.call(name, given))
  })

  async function begun() {
    const started = startProgram(['mcp', '--lake', 'lake'], { cwd: folder })
    const { child, stdout } = started
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'a test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ id: 1, method: 'initialize', params })
    while (!stdout().includes('\n')) await once(child.stdout, 'data')
    expect(JSON.parse(stdout())).toMatchObject({ id: 1, result: { serverInfo: { name: 'ledgerlake' } } })
    const statement =
      'select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 7 = 3'
    send({ id: 2, method: 'tools/call', params: { name: 'sql', arguments: { statement } } })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return { ...started, send }
  }

  it('writes only messages to stdout, and ends with its client, even during a statement', async () => {
    const { child, finished, stdout } = await begun()
    child.stdin.end()
    const { code, stderr } = await finished
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout().trimEnd().split('\n')).toHaveLength(1)
  })

  it('sends no reply to a cancelled call, and answers the next one', async () => {
    const { child, finished, stdout, send } = await begun()
    send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'enough' } })
    send({ id: 3, method: 'tools/call', params: { name: 'sql', arguments: { statement: 'select 3 as n' } } })
    while (stdout().trimEnd().split('\n').length < 2) await once(child.stdout, 'data')
    child.stdin.end()
    const { code, stderr } = await finished
    const [, answer, ...others] = stdout().trimEnd().split('\n')
    expect([code, stderr, others]).toEqual([0, '', []])
    expect(JSON.parse(answer ?? '')).toMatchObject({ id: 3, result: { isError: false } })
  })

  it('reports a damaged lake before its first reply', async () => {
    const { code, stdout, stderr } = await runProgram(['mcp', '--lake', 'nowhere'], { cwd: folder })
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('nowhere')
  })
})
