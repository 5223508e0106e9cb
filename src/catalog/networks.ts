/** A network with reward shares of its own. */
interface Network {
  readonly title: string
  /** The title as it appears in a sentence. */
  readonly inText: string
  /** Symbol of the token of this network alone. */
  readonly symbol: string
}

/**
 * Networks in display order. `iot` has the table `iot_reward_shares`, kinds and files that begin with `iot_`, folders with
 * `iot` in their name, the member `iot_info` of hotspots, and the tokens `iot_reward_token_iot` and `iot_reward_token_main`.
 */
export const networks = {
  iot: { title: 'IoT', inText: 'IoT', symbol: 'IOT' },
  mobile: { title: 'Mobile', inText: 'mobile', symbol: 'MOBILE' },
} as const satisfies Readonly<Record<string, Network>>

export type NetworkId = keyof typeof networks

export const networkIds = Object.keys(networks) as readonly NetworkId[]

/** Finds the network of a table, kind or file by its name. */
export function networkOfName(name: string): NetworkId | undefined {
  return networkIds.find((id) => name.startsWith(`${id}_`))
}

interface Token {
  readonly symbol: string
  /** Digits after the point. */
  readonly decimals: number
}

/** The main token, on every network and on the L1 ledger. */
export const mainToken: Token = { symbol: 'HNT', decimals: 8 }

/** Decimals of the token of a single network. */
export const NETWORK_TOKEN_DECIMALS = 6

/** Names of the tokens of a network in its manifests, in the order of their numbers on the wire. */
export function rewardTokensOf(id: NetworkId): readonly [own: string, main: string] {
  return [`${id}_reward_token_${id}`, `${id}_reward_token_main`]
}

/** Every token of a manifest. */
export const rewardTokens: ReadonlyMap<string | null, Token> = new Map(
  networkIds.flatMap((id): readonly (readonly [string, Token])[] => {
    const [own, main] = rewardTokensOf(id)
    return [
      [own, { symbol: networks[id].symbol, decimals: NETWORK_TOKEN_DECIMALS }],
      [main, mainToken],
    ]
  }),
)

/** Symbols of the tokens of single networks. */
export const networkSymbols: readonly string[] = networkIds.map((id) => networks[id].symbol)
