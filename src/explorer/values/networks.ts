import { networks as declared, type NetworkId, networkIds } from '../../catalog/networks.ts'

export { networkIds }
export type Network = NetworkId

export const networkNames = Object.fromEntries(networkIds.map((id) => [id, declared[id].title])) as Readonly<
  Record<Network, string>
>

/** Class of elements in the colour of a network, and name of that colour in the style sheet. */
export const colorOf = (network: Network) => `network-${networkIds.indexOf(network) + 1}`
