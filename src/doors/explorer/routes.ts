import type { FastifyInstance, FastifyReply } from 'fastify'
import { version } from '../../base/version.ts'
import { pagePatterns } from '../../explorer/values/addresses.ts'
import type { QueryDialect } from '../contract/query-schema.ts'
import { examplesOf } from '../examples.ts'
import { preferred } from '../reply/accept.ts'
import { HTML_TYPE, JSON_TYPE, jsonBody, send } from '../reply/representation.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import type { ExplorerFiles } from './built-files.ts'
import { addInstall } from './install.ts'
import { explorerPage, explorerPolicy } from './page.ts'

export interface ExplorerOptions {
  readonly files: ExplorerFiles | undefined
  readonly snapshots: ServedSnapshots
  readonly network: string
  readonly queries: QueryDialect
  readonly basePath: string
}

/** Names change with content, so copies never expire. */
const FOREVER = 'public, max-age=31536000, immutable'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Serves the explorer at `/` and its pages, and a JSON index at `/`. Neither needs a key. */
export function addExplorer(server: FastifyInstance, options: ExplorerOptions): void {
  const { files, network, basePath } = options
  const page = explorerPage(files?.explorer, { basePath, network })
  const sendPage = (reply: FastifyReply) =>
    send(reply.header('Content-Security-Policy', explorerPolicy), { type: HTML_TYPE, body: page })
  server.get('/', async (_request, reply) => {
    const { type } = preferred(reply, [{ type: JSON_TYPE }, { type: HTML_TYPE }])
    return type === HTML_TYPE ? sendPage(reply) : send(reply, jsonBody(serviceIndex(options)))
  })
  addInstall(server, files, basePath)
  for (const pattern of pagePatterns) server.get(pattern, async (_request, reply) => sendPage(reply))
  for (const { name, text } of files?.files ?? []) {
    const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    server.get(`/explorer/${name}`, async (_request, reply) =>
      send(reply.header('Cache-Control', FOREVER), { type, body: text, tag: name }),
    )
  }
}

/** Builds the JSON index: links, and an example address of each operation. */
function serviceIndex({ snapshots, network, queries, basePath }: ExplorerOptions) {
  const snapshot = snapshots.current()
  const prefix = `/v1/${network}`
  const operations = examplesOf(prefix, snapshot, queries)
  return {
    name: 'ledgerlake',
    version,
    snapshot: snapshot?.id ?? null,
    links: {
      guide: `${basePath}/guide`,
      docs: `${basePath}/docs`,
      openapi: `${basePath}/openapi.json`,
      llms: `${basePath}/llms.txt`,
      graphql: `${basePath}/graphql`,
      status: `${basePath}${prefix}/status`,
      health: `${basePath}/healthz`,
      ready: `${basePath}/readyz`,
    },
    operations: operations.map(({ summary, path, address, isAnswered, parameters }) => ({
      ...{ summary, path: basePath + path, parameters },
      example: isAnswered ? basePath + address : null,
    })),
  }
}
