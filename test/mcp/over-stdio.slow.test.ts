import { once } from 'node:events'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { mcpClient, mcpOverAddress } from '../support/mcp-client.ts'
import { program, runProgram, startProgram, startServing } from '../support/run-program.ts'
import { copySmallLake } from '../support/small-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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

async function overStdio() {
  const [command = '', ...args] = program
  const transport = new StdioClientTransport({
    ...{ command, args: [...args, 'mcp', '--lake', 'lake'], cwd: folder, stderr: 'pipe' },
  })
  return { mcp: await mcpClient(transport), pid: transport.pid }
}

describe('ledgerlake mcp', () => {
  it('answers over stdio as a server does over HTTP, byte for byte', async () => {
    const { mcp } = await overStdio()
    const flags = ['--lake', 'lake', '--port', '0', '--open-sql']
    const { address } = await startServing(flags, { cwd: folder })
    const http = await mcpOverAddress(address)
    expect(await mcp.names()).toEqual(['status', 'search', 'list', 'lookup', 'totals', 'series', 'sql'])
    expect(await mcp.names()).toEqual(await http.names())
    for (const [name, given] of requests)
      expect(await mcp.call(name, given)).toEqual(await http.call(name, given))
    const { text } = await mcp.call('totals', { resource: 'iot_reward_shares', ...days })
    const rest = await fetch(
      `${address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01&integers=string`,
    )
    expect(text.endsWith(`"answer":${await rest.text()}}`)).toBe(true)
  })

  it('writes nothing but messages, and ends when its client does, also while a statement runs', async () => {
    const { child, finished, stdout } = startProgram(['mcp', '--lake', 'lake'], { cwd: folder })
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'a test', version: '1' }
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    })
    while (!stdout().includes('\n')) await once(child.stdout, 'data')
    expect(JSON.parse(stdout())).toMatchObject({ id: 1, result: { serverInfo: { name: 'ledgerlake' } } })
    const statement =
      'select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 7 = 3'
    send({ id: 2, method: 'tools/call', params: { name: 'sql', arguments: { statement } } })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    child.stdin.end()
    const { code, stderr } = await finished
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout().trimEnd().split('\n')).toHaveLength(1)
  })

  it('says what is wrong with its lake before it answers', async () => {
    const { code, stdout, stderr } = await runProgram(['mcp', '--lake', 'nowhere'], { cwd: folder })
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('nowhere')
  })
})
