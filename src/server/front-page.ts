import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { QueryDialect } from '../derive/query-schema.ts'
import { type Example, examplesOf } from './examples.ts'
import { HTML_TYPE, send } from './reply/representation.ts'
import type { ServedSnapshots } from './served-snapshots.ts'

/** GET /: the operations, with links to examples; `base` stands before each. One page without scripts or outside resources. */
export function addFrontPage(
  server: FastifyInstance,
  prefix: string,
  snapshots: ServedSnapshots,
  queries: QueryDialect,
  base: string,
): void {
  server.get('/', async (_request, reply) => {
    const snapshot = snapshots.current()
    const state =
      snapshot === undefined
        ? 'Nothing has been ingested yet.'
        : `Answers come from snapshot <code>${snapshot.id}</code>.`
    const body = frontPage(state, examplesOf(prefix, snapshot, queries), base)
    return send(reply.header('Content-Security-Policy', policy), { type: HTML_TYPE, body })
  })
}

const styles = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a }
  code, a { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere }
  dt { margin-top: 1rem; font-weight: 600 } dd { margin: 0 }
  @media (prefers-color-scheme: dark) { body { background: #14171a; color: #e6e6e6 } a { color: #8ab4f8 } }
`

/** Nothing but what is on the page itself, in no frame. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', styles, 'base64')}'`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function frontPage(state: string, examples: readonly Example[], base: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>ledgerlake</title>
<style>${styles}</style>
<h1>ledgerlake</h1>
<p>${state}</p>
<dl>
${examples.map((example) => describe(example, base)).join('\n')}
</dl>
<p>Every parameter, limit, reply and error: <a href="${base}/docs">/docs</a>; for programs <a href="${base}/openapi.json">/openapi.json</a>, for
assistants <a href="${base}/llms.txt">/llms.txt</a>.</p>
<p>GraphQL: <a href="${base}/graphql">/graphql</a>, in a browser with an editor that knows the schema.</p>
<p>Whether it lives: <a href="${base}/healthz">/healthz</a>. Whether it can answer: <a href="${base}/readyz">/readyz</a>.</p>
</html>
`
}

function describe({ summary, path, address, isAnswered, parameters }: Example, base: string): string {
  const operation = isAnswered
    ? `<a href="${base}${address.replaceAll('&', '&amp;')}">${path}</a>`
    : `<code>${path}</code>`
  return (
    `<dt>${summary}</dt>\n<dd>${operation}</dd>\n` +
    `<dd>Parameters: ${parameters.map((name) => `<code>${name}</code>`).join(', ')}</dd>`
  )
}
