import type { Api } from '../ask/api.ts'
import { type Selection, type Span, sharesOf } from '../ask/series.ts'
import { download } from '../parts/download.ts'
import { h, quiet } from '../parts/h.ts'
import { type Network, networkIds, networkNames } from '../values/networks.ts'

/** Columns of the reward rows that add up to the figures of the page. */
const COLUMNS = 'day,hotspot_key,reward_type,token,earned,formatted_earned,price_usd,usd,source_file'

/** Links to files with the figures of the page by day and hotspot, and for one hotspot with the rewards behind them. */
export function downloads(api: Api, whose: Selection, { first, last }: Span): HTMLElement {
  const days = { ...whose, first_day: first, last_day: last }
  const earnings = (text: string, format: string, extension: string, locale?: string) =>
    download(
      text,
      api.addressOf('/earnings', { ...days, format, locale }),
      `earnings-${first}-to-${last}.${extension}`,
    )
  const rewards = (network: Network, format: string, name: string) => {
    const file = `${network}-rewards-${first}-to-${last}.${format}`
    const given = { ...days, format, columns: COLUMNS }
    return download(`${networkNames[network]}, ${name}`, api.addressOf(sharesOf(network), given), file)
  }
  return h(
    'div.downloads',
    h('h3', 'Download'),
    quiet('One row for each day and hotspot, with amount, price and USD, or the reason why there is none.'),
    h(
      'div.row.wrap',
      earnings('CSV', 'spreadsheet', 'csv', commaLanguage()),
      earnings('Excel', 'xlsx', 'xlsx'),
      earnings('Koinly', 'koinly', 'csv'),
      earnings('CoinTracker', 'cointracker', 'csv'),
    ),
    isOneHotspot(whose)
      ? [
          quiet(
            'One row for each reward. For each token, the column earned adds up exactly to the sums above.',
          ),
          h(
            'div.row.wrap',
            networkIds.map((network) => [
              rewards(network, 'csv', 'CSV'),
              rewards(network, 'parquet', 'Parquet'),
            ]),
          ),
        ]
      : undefined,
  )
}

/** A language whose numbers have a comma if those of this browser have one: spreadsheets then expect semicolons. */
function commaLanguage(): string | undefined {
  const parts = new Intl.NumberFormat(navigator.language).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? 'de' : undefined
}

/** Lists of rewards take one key. */
const isOneHotspot = ({ hotspot_key: keys }: Selection) => keys !== undefined && !keys.includes(',')
