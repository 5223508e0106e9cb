import type { Api } from '../ask/api.ts'
import { type Selection, type Span, sharesOf } from '../ask/series.ts'
import { download } from '../parts/download.ts'
import { h, quiet } from '../parts/h.ts'
import { type Network, networkIds, networkNames } from '../values/networks.ts'

/** Columns of the reward rows that add up to the figures of the page. */
const COLUMNS = 'day,hotspot_key,reward_type,token,earned,formatted_earned,price_usd,usd,source_file'

/** Links to files with the rewards behind the figures, one row each. Per token, `earned` adds up to the total. */
export function downloads(api: Api, whose: Selection, { first, last }: Span): HTMLElement {
  const link = (network: Network, format: string, name: string) => {
    const given = { ...whose, first_day: first, last_day: last, format, columns: COLUMNS }
    const file = `${network}-rewards-${first}-to-${last}.${format}`
    return download(`${networkNames[network]}, ${name}`, api.addressOf(sharesOf(network), given), file)
  }
  return h(
    'div.downloads',
    h('h3', 'Download'),
    quiet(
      'One row for each reward of these days. For each token, the column earned adds up exactly to the sums above.',
    ),
    h(
      'div.row.wrap',
      networkIds.map((network) => [link(network, 'csv', 'CSV'), link(network, 'parquet', 'Parquet')]),
    ),
  )
}
