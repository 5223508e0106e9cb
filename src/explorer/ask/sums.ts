import { getOrMake } from '../../base/maps.ts'
import { rangeOf } from '../values/days.ts'
import { networkIds } from '../values/networks.ts'
import type { Api, Reply } from './api.ts'
import type { ChartRow, Median, Selection, Span } from './series.ts'

/** The response has at most 20,000 values, so `limit` should be some hundred. */
interface SumsGiven {
  readonly groupBy?: 'HOTSPOT' | 'REWARD_TYPE'
  /** Greatest groups of each token. */
  readonly limit?: number
  readonly median?: boolean
}

interface Sums {
  readonly rows: readonly ChartRow[]
  readonly meta: {
    readonly hotspots: string | null
    readonly medians: readonly Median[] | null
    /** Start of the range that the key may read, if it is later than the requested one. */
    readonly fromServed: string | null
  }
}

const rowMembers = ['token', 'group', 'name', 'earned', 'usd']
const metaMembers = ['hotspots', 'fromServed', 'medians{token,hotspots,median}']
/** Commas are white space in GraphQL. */
const MEMBERS = `{rows{${rowMembers}}meta{${metaMembers}}}`

/** A GraphQL query that collects fields until it is sent. */
interface Batch {
  /** Aliases, by their fields. */
  readonly fields: Map<string, string>
  /** Names of variables, by their keys of hotspots separated by commas. */
  readonly keys: Map<string, string>
  readonly reply: Promise<Reply<Readonly<Record<string, Sums>>>>
}

const batches = new WeakMap<Api, Batch>()

/** Requests the sums of each network over a span. All parts of a page that ask at once share one request. */
export async function askSums(
  api: Api,
  whose: Selection,
  span: Pick<Span, 'first' | 'last'>,
  given: SumsGiven,
) {
  const { fields, keys, reply } = getOrMake(batches, api, () => beginBatch(api))
  const { hotspot_key, owner } = whose
  const { from, to } = rangeOf(span.first, span.last)
  const argumentList = [
    `from:"${from}",to:"${to}",interval:ALL`,
    ...(owner === undefined ? [] : [`owner:${JSON.stringify(owner)}`]),
    ...(hotspot_key === undefined
      ? []
      : [`hotspotKeys:$${getOrMake(keys, hotspot_key, () => `keys${keys.size}`)}`]),
    ...Object.entries(given).map(([name, value]) => `${name}:${value}`),
  ]
  const aliases = networkIds.map((network) => {
    const field = `${network}RewardShareSeries(${argumentList})${MEMBERS}`
    return { network, alias: getOrMake(fields, field, () => `sums${fields.size}`) }
  })
  const { value, address } = await reply
  return aliases.map(({ network, alias }) => ({ network, sums: value[alias] as Sums, address }))
}

/** Begins a query that is sent once the running scripts have added their fields. */
function beginBatch(api: Api): Batch {
  const fields = new Map<string, string>()
  const keys = new Map<string, string>()
  const later = new Promise((resolve) => setTimeout(resolve))
  const reply = later.then(() => {
    batches.delete(api)
    const declared = [...keys.values()].map((name) => `$${name}:[String!]`)
    const selected = [...fields].map(([field, alias]) => `${alias}:${field}`)
    const variables = Object.fromEntries([...keys].map(([list, name]) => [name, list.split(',')]))
    const head = declared.length === 0 ? 'query Sums' : `query Sums(${declared})`
    return api.query<Readonly<Record<string, Sums>>>(`${head}{\n  ${selected.join('\n  ')}\n}`, variables)
  })
  return { fields, keys, reply }
}
