import type { FastifyInstance } from 'fastify'
import { resources } from '../catalog/resources.ts'
import { writeInstant } from '../derive/instant.ts'
import { parametersOf } from '../derive/query-schema.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ServedSnapshots } from './served-snapshots.ts'

/** GET /: what can be asked here, with links that answer. One page, no script, nothing from outside. */
export function addFrontPage(server: FastifyInstance, prefix: string, snapshots: ServedSnapshots): void {
  server.get('/', async (_request, reply) => {
    return reply.type('text/html; charset=utf-8').send(frontPage(prefix, snapshots.current()))
  })
}

function frontPage(prefix: string, snapshot: Snapshot | undefined): string {
  const operations = resources.flatMap((resource) => {
    const { rest } = resource
    if (rest === undefined) return []
    const range = snapshot === undefined ? '' : exampleRange(snapshot.table(resource).tally.periods)
    const list = operation(
      rest.summary,
      `${prefix}${rest.path}`,
      `${range}&per_page=5`,
      parametersOf(resource, true),
    )
    if (rest.totals === undefined) return [list]
    const totals = `${prefix}${rest.path}/totals`
    return [list, operation(`${rest.summary}, summed`, totals, range, parametersOf(resource, false))]
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ledgerlake</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a }
  code, a { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere }
  dt { margin-top: 1rem; font-weight: 600 } dd { margin: 0 }
  @media (prefers-color-scheme: dark) { body { background: #14171a; color: #e6e6e6 } a { color: #8ab4f8 } }
</style>
<h1>ledgerlake</h1>
<p>${snapshot === undefined ? 'Nothing has been ingested yet.' : `Answers come from snapshot <code>${snapshot.id}</code>.`}</p>
<dl>
${operations.join('\n')}
</dl>
<p>Whether it lives: <a href="/healthz">/healthz</a>. Whether it can answer: <a href="/readyz">/readyz</a>.</p>
</html>
`
}

function operation(summary: string, path: string, query: string, parameters: readonly string[]): string {
  const address = query === '' ? path : `${path}?${query}`
  return (
    `<dt>${summary}</dt>\n<dd><a href="${address.replaceAll('&', '&amp;')}">${path}</a></dd>\n` +
    `<dd>Parameters: ${parameters.map((name) => `<code>${name}</code>`).join(', ')}</dd>`
  )
}

/** The whole range of what is there; `from` lies just before the first period, since it must be before `to`. */
function exampleRange(periods: readonly bigint[]): string {
  const [first] = periods
  const last = periods.at(-1)
  if (first === undefined || last === undefined) return ''
  return `from=${writeInstant(first - 1_000_000n)}&to=${writeInstant(last)}`
}
