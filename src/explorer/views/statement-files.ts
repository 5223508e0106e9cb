import type { Context } from '../ask/context.ts'
import type { Span } from '../ask/series.ts'
import { download } from '../parts/download.ts'
import { h, paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { grouped } from '../values/amounts.ts'

interface Statement {
  readonly files: readonly { readonly name: string; readonly rows: string; readonly href: string }[]
}

/** A button that requests a statement of an owner: a CSV file per token, which the server has compared with its totals. */
export function statementFiles(context: Context, owner: string, span: Span): HTMLElement {
  const make = h('button', { type: 'button', click: show }, 'Make the statement')
  const section = panel('Download', async () => [quiet(`${CONTENT}.`), make])
  function show(): void {
    section.replaceWith(madeFiles(context, owner, span))
  }
  return section
}

const CONTENT = 'A file for each token with a row for each reward of these days'

function madeFiles({ api }: Context, owner: string, { first, last }: Span): HTMLElement {
  return panel('Download', async () => {
    const { value, address } = await api.ask<Statement>('/statement', { owner, from: first, to: last })
    const links = value.files.map(({ name, rows, href }) =>
      download(`${name} (${grouped(rows)} rows)`, href, `${first}-to-${last}-${name}`),
    )
    return [
      quiet(`${CONTENT}; the server has compared them with its totals.`),
      links.length === 0 ? paragraph('There are no files: nothing was paid in these days.') : undefined,
      h('div.row.wrap', links),
      requests(address),
    ]
  })
}
