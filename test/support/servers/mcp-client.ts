import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { cleanUp } from '../clean-up.ts'

type Transport = Parameters<Client['connect']>[0]

/** The answer to a call of a tool. */
interface Called {
  readonly isError: boolean
  /** The reply as it came. */
  readonly text: string
}

export interface McpClient {
  readonly client: Client
  call(name: string, given?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Called>
  /** Names of the tools that are shown. */
  names(): Promise<readonly string[]>
}

/** A revision of the protocol that a client begins without `initialize`, and asks for in each message. */
export type Revision = '2026-07-28'

/** The SDK's own client, by default of a revision that begins with `initialize`; it is closed when the test is over. */
export async function mcpClient(transport: Transport, pin?: Revision): Promise<McpClient> {
  const client = new Client(
    { name: 'a test', version: '1' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  )
  await client.connect(transport)
  cleanUp(() => client.close())
  return {
    client,
    async call(name, given = {}, signal) {
      const options = signal === undefined ? {} : { signal }
      const { content, isError } = await client.callTool({ name, arguments: given }, options)
      const [part, ...others] = content as { readonly type: string; readonly text: string }[]
      if (part?.type !== 'text' || others.length > 0) throw new Error('a reply is not one text')
      return { isError: isError === true, text: part.text }
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  }
}

/** The address of a test server, which listens from now on. */
export async function addressOf(server: FastifyInstance): Promise<string> {
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return `http://127.0.0.1:${address.port}`
}

/** A client of `/mcp`, with an API key or without. */
export async function mcpOver(server: FastifyInstance, key?: string, pin?: Revision): Promise<McpClient> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return await mcpOverAddress(await addressOf(server), headers, pin)
}

export async function mcpOverAddress(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  pin?: Revision,
): Promise<McpClient> {
  const url = new URL('/mcp', address)
  return await mcpClient(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), pin)
}
