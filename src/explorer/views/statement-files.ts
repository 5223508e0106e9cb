import type { Context } from '../ask/context.ts'
import type { Span } from '../ask/series.ts'
import { download } from '../parts/download.ts'
import { div, h, paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { grouped } from '../values/amounts.ts'

interface Statement {
  readonly files: readonly { readonly name: string; readonly rows: string; readonly href: string }[]
}

/** A button that requests a statement of an owner: a CSV file per token, which the server has compared with its totals. */
export function statementFiles(context: Context, owner: string, span: Span): HTMLElement {
  const make = h('button', { type: 'button', click: show }, 'Make the statement')
  const section = panel('Take it with you', async () =>
    div(quiet('A file for each token with a row for each reward of these days.'), make),
  )
  function show(): void {
    section.replaceWith(madeFiles(context, owner, span))
  }
  return section
}

function madeFiles({ api }: Context, owner: string, { first, last }: Span): HTMLElement {
  return panel('Take it with you', async () => {
    const { value, address } = await api.ask<Statement>('/statement', { owner, from: first, to: last })
    return div(
      quiet(
        'A file for each token with a row for each reward of these days; the server has compared them with its totals.',
      ),
      h(
        'div',
        { class: 'row wrap' },
        value.files.map(({ name, rows, href }) =>
          download(`${name} (${grouped(rows)} rows)`, href, `${first}-to-${last}-${name}`),
        ),
      ),
      value.files.length === 0
        ? paragraph('There is nothing to take: nothing was paid in these days.')
        : undefined,
      requests(address),
    )
  })
}
