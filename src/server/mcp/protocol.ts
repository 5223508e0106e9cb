import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { inBackground } from '../../background.ts'
import type { Schema } from '../../derive/open-api/schema.ts'
import { version } from '../../version.ts'
import { checkedLines } from './checked-lines.ts'
import { readMessage } from './message.ts'
import { rpcCodes } from './rpc-error.ts'
import { BONES } from './units.ts'

/** A tool as it is shown. */
interface Shown {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
}

/** What the protocol is spoken for. */
export interface Door {
  readonly tools: readonly Shown[]
  /** The sentence that refuses a name that no tool has; undefined for a tool. */
  whyNoTool(name: string): string | undefined
  call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    cancelled: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
}

const instructions = `Rewards, hotspots and the ledger of the Helium network, exact, each reply from one snapshot. Ask status first for the dates there are; \
sum with totals or series rather than add up records. from and to are compared with end_period on reward shares, both ends included: a reward for 30 June \
ends on 1 July at 00:00 UTC. ${BONES}`

const everyTool = { annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false } }

function serverOf({ tools, whyNoTool, call }: Door): Server {
  const server = new Server(
    { name: 'ledgerlake', version },
    {
      ...{ capabilities: { tools: {} }, instructions },
      // Nothing is asked back of a client, so there is nothing to check; the one by default takes long to make.
      jsonSchemaValidator: {
        getValidator() {
          throw new Error('a client was asked for something')
        },
      },
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema }) => ({
      ...{ name, title, description, ...everyTool },
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const refusal = whyNoTool(params.name)
    if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: rpcCodes.invalidParams })
    const { text, isError } = await call(params.name, params.arguments ?? {}, signal)
    return { content: [{ type: 'text' as const, text }], isError }
  })
  return server
}

/** The answer to one POST, which needs nothing of another one. */
export async function answerPost(
  door: Door,
  { url, headers, body }: { readonly url: string; readonly headers: Headers; readonly body: unknown },
): Promise<{ readonly status: number; readonly type: string | null; readonly body: string }> {
  const read = readMessage(body)
  if ('refused' in read) {
    const { refused } = read
    // An error with an id answers its request; without one the request itself is refused.
    return {
      status: refused.id === null ? 400 : 200,
      type: 'application/json',
      body: JSON.stringify(refused),
    }
  }
  const server = serverOf(door)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const request = new Request(url, { method: 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody: read.message })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    }
  } finally {
    await server.close()
  }
}

/** Speaks with one client over standard input and output, until `stop` or the client ends it; calls under way are cancelled then. */
export async function speakOverStdio(door: Door, stop: AbortSignal): Promise<void> {
  const server = serverOf(door)
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = () => inBackground('closing a connection of tools', () => server.close())
  process.stdin.once('end', close).once('close', close)
  stop.addEventListener('abort', close, { once: true })
  const messages = checkedLines(process.stdin, (error) => process.stdout.write(`${JSON.stringify(error)}\n`))
  await server.connect(new StdioServerTransport(messages))
  await ended
  process.stdin.unpipe(messages).pause()
}
