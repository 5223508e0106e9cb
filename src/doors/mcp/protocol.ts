import { once } from 'node:events'
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { nextSlice } from '../../base/slices.ts'
import { version } from '../../base/version.ts'
import type { Schema } from '../open-api/schemas/schema.ts'
import { checkedLines } from './rpc/checked-lines.ts'
import { readMessage } from './rpc/message.ts'
import { rpcCodes } from './rpc/rpc-error.ts'
import { BONES } from './units.ts'

/** A tool in `tools/list`. */
interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
}

/** Tools that the protocol serves. */
export interface McpService {
  readonly tools: readonly ToolDescription[]
  /** Returns the reply of a tool, or `refused` for an unknown tool. */
  call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    cancelled: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean } | { readonly refused: string }>
}

const instructions = `Rewards, hotspots and the ledger of the Helium network, exact, each reply from one snapshot. Ask status first for the dates there are; \
sum with totals or series rather than add up records. from and to are compared with end_period on reward shares, both ends included: a reward for 30 June \
ends on 1 July at 00:00 UTC. ${BONES}`

const everyTool = { annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false } }

/** The list of tools depends on the release and the key only. */
const hint = { ttlMs: 300_000, cacheScope: 'private' } as const

function serverOf({ tools, call }: McpService): Server {
  const server = new Server(
    { name: 'ledgerlake', version },
    {
      ...{ capabilities: { tools: {} }, instructions },
      cacheHints: { 'server/discover': hint, 'tools/list': hint },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, title, description, inputSchema }) => ({
      ...{ name, title, description, ...everyTool },
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const reply = await call(params.name, params.arguments ?? {}, withoutReason(mcpReq.signal))
    if ('refused' in reply) throw new ProtocolError(rpcCodes.invalidParams, reply.refused)
    return { content: [{ type: 'text' as const, text: reply.text }], isError: reply.isError }
  })
  return server
}

/** Copies a signal with the default reason. The SDK sets the client's text or an error of its own. */
function withoutReason(signal: AbortSignal): AbortSignal {
  const plain = new AbortController()
  if (signal.aborted) plain.abort()
  signal.addEventListener('abort', () => plain.abort(), { once: true })
  return plain.signal
}

/** Answers one POST without session state. It handles the messages of a batch in order. */
export async function answerPost(door: McpService, headers: Headers, body: unknown): Promise<Response> {
  if (!Array.isArray(body)) return await answerMessage(door, headers, body)
  const replies: string[] = []
  for (const message of body) {
    const response = await answerMessage(door, headers, message)
    replies.push(await response.text())
    await nextSlice()
  }
  const texts = replies.filter((text) => text !== '')
  if (texts.length === 0) return new Response(null, { status: 202 })
  return new Response(`[${texts.join(',')}]`, { headers: { 'content-type': 'application/json' } })
}

async function answerMessage(door: McpService, headers: Headers, body: unknown): Promise<Response> {
  const parsed = readMessage(body)
  if ('refused' in parsed) {
    // Clients before 2026 read a JSON-RPC error only from a reply of status 200.
    const isRead = parsed.refused.id !== null && (headers.get('mcp-protocol-version') ?? '') < '2026'
    return Response.json(parsed.refused, { status: isRead ? 200 : 400 })
  }
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  const options = { parsedBody: parsed.message }
  if (!(await isLegacyRequest(request, parsed.message)))
    return await createMcpHandler(() => serverOf(door), { legacy: 'reject' }).fetch(request, options)
  // The SDK's handler answers older revisions with event streams only.
  const server = serverOf(door)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, options)
  await server.close()
  return response
}

/** Serves one client over standard input and output until `stop` aborts or the input ends. Running calls are cancelled then. */
export async function speakOverStdio(door: McpService, stop: AbortSignal): Promise<void> {
  const lines = checkedLines(process.stdin, (error) => process.stdout.write(`${JSON.stringify(error)}\n`))
  const ended = once(lines, 'close')
  const end = () => lines.destroy()
  process.stdin.once('close', end)
  stop.addEventListener('abort', end, { once: true })
  serveStdio(() => serverOf(door), { transport: new StdioServerTransport(lines) })
  await ended
  process.stdin.unpipe(lines).pause()
}
