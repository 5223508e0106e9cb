import type { Context, Shown } from '../ask/context.ts'
import { askKeysOfOwner } from '../ask/hotspots.ts'
import { copied, shortKey } from '../parts/facts.ts'
import { div, h, paragraph, quiet } from '../parts/h.ts'
import { newsLine } from '../parts/news-line.ts'
import { pagePath } from '../values/addresses.ts'
import { UNKNOWN_OWNER, unknownTexts } from '../values/unknown.ts'
import { downloads } from '../views/downloads.ts'
import { earningsPanel } from '../views/earnings.ts'
import { eachHotspot } from '../views/hotspot-table.ts'
import { rememberAll } from '../views/remembered.ts'
import { statementFiles } from '../views/statement-files.ts'

/** The sums of all hotspots of an owner. */
export async function showOwner(context: Context, owner: string): Promise<Shown> {
  const news = newsLine()
  const content = div(
    h('h1', 'Hotspots of an owner'),
    news.element,
    h(
      'p.subject',
      copied(owner, shortKey(owner)),
      ' ',
      rememberAll(() => askKeysOfOwner(context.api, owner)),
    ),
    earningsPanel(
      context,
      { owner },
      {
        below: ({ span }) => [
          eachHotspot(context, { owner }, span),
          downloads(context.api, { owner }, span),
          statementFiles(context, owner, span),
        ],
        report: ({ unknown }) => news.tell(...unknownTexts(unknown, UNKNOWN_OWNER)),
      },
    ),
    quiet('These hotspots belong to this owner now. Who owned them when they were paid is not known.'),
    paragraph(h('a', { href: context.base + pagePath('account', owner) }, 'Its account on the L1 ledger')),
  )
  return { title: `Owner ${owner}`, content }
}
