import type { Api } from '../ask/api.ts'
import { type Selection, type Span, sharesOf } from '../ask/series.ts'
import { download } from '../parts/download.ts'
import { h, quiet } from '../parts/h.ts'
import { networkIds, networkNames } from '../values/networks.ts'

/** Columns of the reward rows that add up to the figures of the page. */
const COLUMNS = 'day,hotspot_key,reward_type,token,earned,formatted_earned,price_usd,usd,source_file'

/** Links to files with the rewards behind the figures, one row each. Per token, `earned` adds up to the total. */
export function downloads(api: Api, whose: Selection, { first, last }: Span): HTMLElement {
  const formats = [
    ['csv', 'CSV'],
    ['parquet', 'Parquet'],
  ] as const
  const links = networkIds.flatMap((network) =>
    formats.map(([format, name]) => {
      const address = api.addressOf(sharesOf(network), {
        ...whose,
        first_day: first,
        last_day: last,
        format,
        columns: COLUMNS,
      })
      return download(
        `${networkNames[network]}, ${name}`,
        address,
        `${network}-rewards-${first}-to-${last}.${format}`,
      )
    }),
  )
  return h(
    'div',
    { class: 'downloads' },
    h('h3', {}, 'Take it with you'),
    quiet(
      'A row for each reward of these days. The column earned, added up for each token, gives the sums above to the last digit.',
    ),
    h('div', { class: 'row wrap' }, links),
  )
}
