import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderGraphiQL, shouldRenderGraphiQL } from 'graphql-helix'
import { HTML_TYPE, send } from '../reply/representation.ts'

const defaultQuery = `# Ctrl-Enter runs the query; the schema is under Docs.
{
  iotRewardShares(first: 10) {
    nodes {
      hotspotKey
      rewardType
      endPeriod
      beaconAmount
      witnessAmount
      dcTransferAmount
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`

/** Whether a browser asks for a page rather than a program for an answer. */
export function wantsExplorer({ headers, method }: FastifyRequest): boolean {
  return shouldRenderGraphiQL({ headers, method, body: undefined, query: {} })
}

/** GraphiQL as one page, which may load nothing and ask nobody but this server. */
export function sendExplorer(reply: FastifyReply, basePath: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The editor sets styles of its own while one types.
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const body = renderGraphiQL({
    ...{ nonce, defaultQuery, headerEditorEnabled: true },
    endpoint: `${basePath}/graphql`,
  })
  return send(reply.header('Content-Security-Policy', policy.join('; ')), { type: HTML_TYPE, body })
}
