import { networkOfName } from '../../catalog/networks.ts'
import type { Api } from '../ask/api.ts'
import { type Child, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { grouped, shortUsd, symbolOf, usdDecimals, wholeTokens } from '../values/amounts.ts'
import { isGap } from '../values/day-states.ts'
import { networkNames } from '../values/networks.ts'
import { decimalDifferenceText, differenceText } from '../values/percent.ts'
import { askYardsticks, unitsByToken, type Yardstick } from './comparison-data.ts'
import { isPaid, totalUsd } from './earned.ts'
import type { Earnings } from './earnings-data.ts'

const TITLE = 'How that compares'
/** Time to draw the chart. */
const CHART_MS = 100

/** The earnings of a hotspot beside its days before, its owner's hotspots, its neighbours and the network. */
export function comparison(api: Api, key: string, earnings: Earnings): HTMLElement {
  return panel(TITLE, async () => {
    // These requests would delay the chart.
    await new Promise((resolve) => setTimeout(resolve, CHART_MS))
    const yardsticks = await askYardsticks(api, key, earnings.span)
    const paid = earnings.totals.filter(isPaid)
    const ownUnits = unitsByToken(paid)
    const tokens =
      [ownUnits, ...yardsticks.map(({ units }) => units)].find(({ size }) => size > 0)?.keys() ?? []
    const isWhole = ![...earnings.states.values()].some(isGap)
    // Rewards of an unknown token may be of any token.
    const isSure = paid.every(({ token }) => token !== null)
    const ownUsd = totalUsd(paid)
    const columns = [
      ...columnsOf([...tokens], isSure ? ownUnits : undefined, isWhole),
      ...usdColumn(yardsticks, isSure ? ownUsd : undefined, isWhole),
    ]
    return [
      usdBefore(yardsticks[0], ownUsd, isWhole),
      columns.length === 1
        ? undefined
        : table(
            TITLE,
            columns,
            yardsticks.filter(({ units }) => units.size > 0),
          ),
      requests(...yardsticks.flatMap(({ addresses }) => addresses)),
    ]
  })
}

function columnsOf(
  tokens: readonly string[],
  ownUnits: ReadonlyMap<string, string> | undefined,
  isWhole: boolean,
): readonly TableColumn<Yardstick>[] {
  const symbols = tokens.map(symbolOf)
  const titleOf = (token: string) => {
    const network = networkOfName(token)
    const isUnique = symbols.indexOf(symbolOf(token)) === symbols.lastIndexOf(symbolOf(token))
    return isUnique || network === undefined
      ? symbolOf(token)
      : `${symbolOf(token)} on ${networkNames[network]}`
  }
  const cell =
    (token: string) =>
    ({ units, gaps }: Yardstick): Child => {
      const amount = units.get(token)
      if (amount === undefined) return '–'
      // Medians lack the same days.
      const isFair = gaps === undefined || (isWhole && gaps === 0)
      const difference =
        isFair && ownUnits && differenceText(BigInt(ownUnits.get(token) ?? '0'), BigInt(amount))
      return [grouped(wholeTokens(amount, token)), difference ? h('span.quiet', ` ${difference}`) : undefined]
    }
  return [
    { title: 'Compared with', cell: ({ title }) => title },
    ...tokens.map((token) => ({ title: titleOf(token), isNumber: true, cell: cell(token) })),
  ]
}

/** The column of USD, if a median has one. */
function usdColumn(
  yardsticks: readonly Yardstick[],
  own: string | undefined,
  isWhole: boolean,
): readonly TableColumn<Yardstick>[] {
  if (!yardsticks.some(({ usd, gaps }) => usd !== undefined && gaps === undefined)) return []
  const decimals = usdDecimals(yardsticks.flatMap(({ usd }) => usd ?? []))
  const cell = ({ usd, gaps }: Yardstick): Child => {
    if (usd === undefined) return '–'
    const isFair = gaps === undefined || (isWhole && gaps === 0)
    const difference = isFair && own !== undefined && decimalDifferenceText(own, usd)
    return [
      h('data', { value: usd, title: `${usd} USD at the oracle price` }, shortUsd(usd, decimals)),
      difference ? h('span.quiet', ` ${difference}`) : undefined,
    ]
  }
  return [{ title: 'USD', isNumber: true, cell }]
}

/** The USD of the days before. Unknown days make the difference unknown. */
function usdBefore(
  { title, usd, gaps = 0 }: Yardstick,
  own: string | undefined,
  isWhole: boolean,
): HTMLElement {
  const before = `${title}: ${usd === undefined ? (gaps > 0 ? 'unknown' : 'nothing') : shortUsd(usd)}`
  if (gaps > 0) return paragraph(`${before}. ${gaps} of these days ${gaps === 1 ? 'lacks' : 'lack'} data.`)
  const difference = isWhole && usd !== undefined && own !== undefined && decimalDifferenceText(own, usd)
  return paragraph(difference ? `${before}, now ${difference}.` : `${before}.`)
}
