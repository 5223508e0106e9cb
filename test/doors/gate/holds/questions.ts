import { networks, specifiedLists } from '../../../support/specified.ts'
import { words } from '../../../support/words.ts'

/** A request that costs the server most among those that an operation allows. */
export interface Question {
  /** `GET /v1/{network}/search`, `graphql search` or `mcp status`: the operation that it is the dearest question of. */
  readonly of: string
  readonly path: string
  /** The body of a POST. */
  readonly body?: unknown
  /** Whether its answer needs a turn of the queue; other answers are known, or cost next to nothing. `at first`: until what it follows from was read. */
  readonly isQueued: boolean | 'at first'
}

/** What questions name: values that the lake has. */
export interface Subject {
  readonly from: string
  readonly to: string
  readonly hotspot: string
  readonly owner: string
  /** Many keys, for the bodies that take them. */
  readonly keys: readonly string[]
}

const V1 = '/v1/net'

/** The dearest question of every operation of every door. */
export function questionsOf({ from, to, hotspot, owner, keys }: Subject): readonly Question[] {
  const range = `from=${from}&to=${to}`
  const greatest = 'interval=day&tz=America/New_York&limit=1000'
  const rest = (of: string, query = '', isQueued: Question['isQueued'] = false): Question => ({
    ...{ of: `GET ${V1}${of}`, isQueued },
    path: `${V1}${of.replace('{id}', 'none')}${query && `?${query}`}`,
  })
  const shares = networks.flatMap((network): readonly Question[] => {
    const list = `/l2/${network}-reward-shares`
    const series = `${V1}${list}/totals/series`
    return [
      rest(list, `${range}&page=1000000&per_page=100`, 'at first'),
      { ...rest(list, `${range}&format=csv&hotspot_key=${hotspot}`), isQueued: false },
      rest(`/files${list}`, `${range}&format=csv&hotspot_key=${hotspot}`),
      rest(`${list}/totals`, `${range}&hotspot_key=${hotspot}`),
      ...['hotspot', 'owner', 'maker'].map((group) =>
        rest(`${list}/totals/series`, `${range}&${greatest}&group_by=${group}`, true),
      ),
      rest(`${list}/totals/series`, `${range}&${greatest}&owner=${owner}`, true),
      rest(`/files${list}/totals/series`, `${range}&${greatest}&group_by=hotspot&format=csv`, true),
      {
        ...{ of: `POST ${series}`, path: `${series}?${range}&${greatest}&group_by=hotspot` },
        ...{ body: { hotspot_keys: keys }, isQueued: true },
      },
    ]
  })
  const ledger = specifiedLists.filter(({ path }) => path.startsWith('/l1/'))
  const statement = `owner=${owner}&from=${from}&to=${to}`
  const tables = '/delta-sharing/shares/ledgerlake/schemas/default/tables/iot_reward_shares'
  const sharing = (of: string, path: string): Question => ({ of, path, isQueued: false })
  const share = '/delta-sharing/shares/{share}'
  const table = `${share}/schemas/{schema}/tables/{table}`
  return [
    ...shares,
    ...ledger.map(({ path }) => rest(path, 'page=1000&per_page=100', 'at first')),
    ...ledger
      .filter(({ find }) => find !== undefined)
      .map(({ path }) => rest(`${path}/{id}`, '', 'at first')),
    rest('/l1/rewards/series', `${greatest}&group_by=hotspot`, true),
    rest('/files/l1/rewards/series', `${greatest}&group_by=hotspot&format=csv`, true),
    rest('/l2/makers', '', 'at first'),
    rest('/l2/makers/{id}', '', 'at first'),
    rest('/l2/hotspots', 'page=1000&per_page=100', 'at first'),
    ...['/l2/makers', '/l2/hotspots', ...ledger.map(({ path }) => path)].map((list) =>
      rest(`/files${list}`, 'format=csv'),
    ),
    rest('/l2/hotspots/{id}', '', 'at first'),
    rest('/status', range, true),
    rest('/search', 'q=112', true),
    { ...rest('/h3-cells/{id}'), path: `${V1}/h3-cells/8928308280fffff` },
    rest('/statement', statement, true),
    rest('/earnings', `owner=${owner}&first_day=${from}&last_day=${to}`, true),
    { ...rest('/statement/{id}', statement, true), path: `${V1}/statement/rewards-iot.csv?${statement}` },
    {
      ...{ of: `POST ${V1}/earnings`, path: `${V1}/earnings?first_day=${from}&last_day=${to}` },
      ...{ body: { hotspot_keys: keys }, isQueued: true },
    },
    ...['', '/{id}'].map((below) => ({
      of: `POST ${V1}/statement${below}`,
      path: `${V1}/statement${below.replace('{id}', 'rewards-iot.csv')}?from=${from}&to=${to}`,
      ...{ body: { hotspot_keys: keys }, isQueued: true },
    })),
    rest('/sql', 'query=select%201', true),
    {
      ...{ of: `POST ${V1}/sql`, path: `${V1}/sql` },
      ...{ body: { query: 'select 1' }, isQueued: true },
    },
    ...graphqlQuestions({ from, to, hotspot, owner, keys }),
    ...mcpQuestions({ from, to, hotspot, owner, keys }),
    ...networks.map((network) => ({
      ...{ of: `GET /graphql/${network}-reward-shares`, isQueued: true },
      path: `/graphql/${network}-reward-shares?hotspot_key=${hotspot}&start_period=${from}&end_period=${to}`,
    })),
    { of: 'GET /graphql', path: '/graphql?query={status}', isQueued: true },
    sharing('GET /delta-sharing/shares', '/delta-sharing/shares'),
    sharing(`GET ${share}`, '/delta-sharing/shares/ledgerlake'),
    sharing(`GET ${share}/schemas`, '/delta-sharing/shares/ledgerlake/schemas'),
    sharing(
      `GET ${share}/schemas/{schema}/tables`,
      '/delta-sharing/shares/ledgerlake/schemas/default/tables',
    ),
    sharing(`GET ${share}/all-tables`, '/delta-sharing/shares/ledgerlake/all-tables'),
    sharing(`GET ${table}/version`, `${tables}/version`),
    sharing(`GET ${table}/metadata`, `${tables}/metadata`),
    { ...sharing(`POST ${table}/query`, `${tables}/query`), body: {}, isQueued: true },
    sharing(`GET ${table}/changes`, `${tables}/changes?startingVersion=0`),
    sharing(`GET ${share}/snapshot`, '/delta-sharing/shares/ledgerlake/snapshot'),
    {
      ...sharing(`GET ${share}/log/{table}`, '/delta-sharing/shares/ledgerlake/log/iot_reward_shares?to=0'),
      isQueued: true,
    },
    ...pages.map(([of, path]) => ({ of: `GET ${of}`, path: path ?? of, isQueued: false })),
  ]
}

/** Documents, pages and what tells of the server itself. */
const pages: readonly (readonly [of: string, path?: string])[] = [
  ['/*', '/nowhere'],
  ['/guide*', '/guide/search'],
  ...words(
    `/ /metrics /healthz /up /readyz /fleet /guide /docs /llms.txt /manifest.webmanifest /icon-192.png /icon-512.png /openapi.json /openapi-3.0.json`,
  ).map((path) => [path] as const),
  ...['hotspot', 'owner', 'account', 'gateway', 'transaction'].map(
    (page) => [`/${page}/{id}`, `/${page}/none`] as const,
  ),
]

/** Fields of lists that need no range. */
const lists = [
  ...specifiedLists.filter(({ totals }) => totals === undefined).map(({ query }) => query),
  'iotWitnessIngestReports',
]

function graphqlQuestions({ from, to, hotspot }: Subject): readonly Question[] {
  const field = (name: string, query: string): Question => ({
    ...{ of: `graphql ${name}`, path: '/graphql', body: { query: `{${query}}` }, isQueued: true },
  })
  const period = `startPeriod:"${from}",endPeriod:"${to}"`
  const range = `from:"${from}",to:"${to}"`
  const id = '{nodes{id}}'
  return [
    { ...field('status', 'status'), of: 'POST /graphql' },
    field('status', 'status'),
    field('echo', `echo(message:"${'x'.repeat(1000)}")`),
    field('search', 'search(q:"112"){hits{path}}'),
    field('l1RewardSeries', 'l1RewardSeries(interval:DAY,groupBy:HOTSPOT,limit:1000){rows{earned}}'),
    field('rewardManifests', `rewardManifests(startTimestamp:"${from}",endTimestamp:"${to}")${id}`),
    ...lists.map((name) => field(name, `${name}${id}`)),
    ...networks.flatMap((network) => [
      field(`${network}RewardShares`, `${network}RewardShares(hotspotKey:"${hotspot}",${period})${id}`),
      field(`${network}RewardShareTotals`, `${network}RewardShareTotals(${range}){__typename}`),
      field(
        `${network}RewardShareSeries`,
        `${network}RewardShareSeries(${range},interval:ALL,groupBy:HOTSPOT,limit:1000){rows{earned}}`,
      ),
    ]),
  ]
}

function mcpQuestions({ from, to, hotspot, owner }: Subject): readonly Question[] {
  const tool = (name: string, given: object, isQueued: Question['isQueued']): Question => ({
    ...{ of: `mcp ${name}`, path: '/mcp', isQueued },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })
  const resource = 'iot_reward_shares'
  return [
    { ...tool('status', {}, true), of: 'POST /mcp' },
    tool('status', {}, true),
    tool('search', { q: '112' }, true),
    tool('list', { resource, from, to, hotspot_key: hotspot }, 'at first'),
    tool('lookup', { resource: 'hotspots', id: 'none' }, 'at first'),
    tool('totals', { resource, from, to, hotspot_key: hotspot }, false),
    tool('series', { resource, from, to, interval: 'day', group_by: 'hotspot', limit: 1000 }, true),
    tool('earnings', { owner, first_day: from, last_day: to }, true),
    tool('sql', { statement: 'select 1' }, true),
  ]
}
