/** What the server has, copied by hand from the specification. Nothing here is taken from the catalog, and other tests copy none of it again. */

/** Networks with reward shares. */
export const networks = ['iot', 'mobile'] as const

/** Folders of oracle files by which a manifest is told to be of a network. */
export const folders = networks
  .map((id) => `…${id}…`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')

/** Files of a statement. */
export const csvNames = [
  ...['iot', 'hnt', ...networks.slice(1)],
  ...networks.map((id) => `unknown-${id}`),
].map((token) => `rewards-${token}.csv`)

/** Networks that made-up lakes and the sample network have no rewards of. */
export const withoutRewards: readonly string[] = networks.slice(2)

/** A list with its operations of REST and its names in GraphQL. */
interface SpecifiedList {
  readonly table: string
  readonly path: string
  readonly list: string
  readonly find?: string
  readonly totals?: string
  readonly series?: string
  /** Field of the query type. */
  readonly query: string
  readonly node: string
  /** True if the small network of the fixtures has no rows of it. */
  readonly isEmpty?: true
}

const sharesOf = (network: string, node: string): SpecifiedList => ({
  table: `${network}_reward_shares`,
  path: `/l2/${network}-reward-shares`,
  list: `get-${network}-rewards`,
  totals: `get-${network}-reward-totals`,
  series: `get-${network}-reward-series`,
  ...{ query: `${network}RewardShares`, node: `${node}RewardShare` },
})

const ofLedger = (name: string, query: string, find?: string): SpecifiedList => ({
  table: `l1_${name.replaceAll('-', '_')}`,
  path: `/l1/${name}`,
  list: `get-l1-${name}`,
  ...(find !== undefined && { find }),
  ...{ query, node: query.replace(/^l/, 'L').replace(/s$/, '') },
})

/** Lists in display order. */
export const specifiedLists: readonly SpecifiedList[] = [
  sharesOf('iot', 'Iot'),
  sharesOf('mobile', 'Mobile'),
  {
    ...{ table: 'makers', path: '/l2/makers', list: 'get-makers', find: 'get-maker' },
    ...{ query: 'makers', node: 'Maker' },
  },
  {
    ...{ table: 'hotspots', path: '/l2/hotspots', list: 'get-hotspots', find: 'get-hotspot' },
    ...{ query: 'hotspots', node: 'Hotspot' },
  },
  ofLedger('accounts', 'l1Accounts', 'get-l1-account'),
  ofLedger('transactions', 'l1Transactions', 'get-l1-transaction'),
  ofLedger('transaction-actors', 'l1TransactionActors'),
  ofLedger('dc-burns', 'l1DcBurns'),
  ofLedger('gateways', 'l1Gateways', 'get-l1-gateway'),
  ofLedger('packets', 'l1Packets'),
  ofLedger('rewards', 'l1Rewards'),
]

export const filledLists = specifiedLists.filter(({ isEmpty }) => isEmpty !== true)

/** Tables without a list of REST that are shared, and their fields of GraphQL. */
export const otherTables = [
  { table: 'reward_manifests', query: 'rewardManifests', node: 'RewardManifest' },
  { table: 'iot_witness_ingest_reports', query: 'iotWitnessIngestReports', node: 'IotWitnessIngestReport' },
] as const
