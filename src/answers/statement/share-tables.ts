import { mainToken, networkOfName, rewardTokens } from '../../catalog/networks.ts'
import { flatColumns, isReward } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'

export const shareTables: readonly Resource[] = resources.filter(isReward)

/** `iot` or `mobile`. */
export const networkOf = ({ name }: Resource): string => networkOfName(name) ?? name

/** The token of the L1 ledger, as statements name it. */
export const LEDGER_SYMBOL = mainToken.symbol

/** The symbol of a token, such as `HNT`; `unknown-…` without a token. */
export const tokenName = (token: string | null, network: string) =>
  token === null ? `unknown-${network}` : (rewardTokens.get(token)?.symbol ?? token)

export const tokenNames: readonly string[] = [
  ...new Set([
    ...[...rewardTokens.keys()].map((token) => tokenName(token, '')),
    ...shareTables.map((resource) => tokenName(null, networkOf(resource))),
  ]),
]

/** Returns true if the file of a token can have rewards of a table: of its network token, HNT, or an unknown token. */
export function paysIn(resource: Resource, token: string): boolean {
  const network = networkOf(resource)
  const names = [null, ...rewardTokens.keys()].filter(
    (name) => name === null || networkOfName(name) === network,
  )
  return names.some((name) => tokenName(name, network) === token)
}

const columnsByTable = new Map(
  shareTables.map((resource): [Resource, readonly string[]] => {
    const from = flatColumns(resource).find(({ name }) => name === 'earned')?.from
    return [resource, from?.as === 'sum' ? from.of : []]
  }),
)

/** Columns that add up to the earnings of a hotspot. */
export function earnedColumns(resource: Resource): readonly string[] {
  const columns = columnsByTable.get(resource) ?? []
  if (columns.length === 0) throw new Error(`${resource.name} pays no hotspot`)
  return columns
}
