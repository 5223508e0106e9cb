import type { StatementHolder } from '../../answers/statement/holdings.ts'
import { readKeyLines } from '../../answers/statement/lines/key-lines.ts'
import { type OwnPrices, readPriceLines } from '../../answers/statement/lines/price-lines.ts'
import { MOST_HOTSPOTS } from '../../catalog/query/series-parameters.ts'
import { type Lists, refuseList } from './body-lists.ts'

/** The lists that a statement is made of, by name, with the most texts of each. */
export const statementLists = { owners: 100, hotspot_keys: MOST_HOTSPOTS, prices: 20_000 } as const

type ListName = keyof typeof statementLists

export const statementListNames = Object.keys(statementLists) as readonly ListName[]

/**
 * Reads owners, hotspots with their days, and prices, each a line of the file that the command takes. `owner` is given
 * apart from the lists.
 * Errors: `malformed_request` with the list and the number of a wrong line.
 */
export function readStatementLists(
  lists: Lists<ListName>,
  owner: string | undefined,
): { readonly holder: StatementHolder; readonly prices: OwnPrices | undefined } {
  for (const name of statementListNames) {
    const [list, most] = [lists[name], statementLists[name]]
    if (list === undefined) continue
    if (list.length === 0) refuseList(name, 'is empty; leave it out')
    if (list.length > most) refuseList(name, `has ${list.length} texts; the limit is ${most}`)
  }
  const { owners = [], hotspot_keys: keys, prices } = lists
  if (owners.includes('')) refuseList('owners', 'has an empty address')
  if (owner !== undefined && owners.length > 0)
    refuseList('owners', 'cannot be combined with owner; use either')
  if (owner === undefined && owners.length === 0 && keys === undefined)
    refuseList('owners', 'is missing; name the addresses of owners, or give hotspot_keys')
  const holder = { owners: owner === undefined ? owners : [owner] }
  return {
    holder: keys === undefined ? holder : { ...holder, keys: readKeyLines(linesOf(keys), 'hotspot_keys') },
    prices: prices && readPriceLines(linesOf(prices), 'prices'),
  }
}

/** A text is one line, so that numbers in errors are places in the list. */
const linesOf = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/[\r\n]/g, ' ')).join('\n')
