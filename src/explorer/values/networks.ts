import { networks as declared, type NetworkId, networkIds } from '../../catalog/networks.ts'

export { networkIds }
export type Network = NetworkId

export const networkNames = Object.fromEntries(networkIds.map((id) => [id, declared[id].title])) as Readonly<
  Record<Network, string>
>

/** Returns the CSS class and the custom property name for the colour of a network. */
export const colorOf = (network: Network) => `network-${networkIds.indexOf(network) + 1}`
