import type { Exact, ExactRecord } from '../archive/records.ts'
import { type RelayClient, RelayError, relayDate } from './relay-client.ts'

/** All twenty operations asked one after the other, as a caller of the hosted service would. */

interface Stop {
  readonly path: string
  /** Finds single records beside their ids. */
  readonly key?: string
  /** A date of a record. */
  readonly date?: string
  readonly hasTotals?: true
  /** Its sums that have records: behind the path, and what names a record. */
  readonly divided?: Readonly<Record<string, string>>
}

const stops: readonly Stop[] = [
  { path: '/l2/makers', key: 'address' },
  { path: '/l2/hotspots', key: 'ecc_key' },
  { path: '/l2/iot-reward-shares', date: 'end_period', hasTotals: true },
  {
    ...{ path: '/l2/mobile-reward-shares', date: 'end_period', hasTotals: true },
    divided: { 'daily-totals': 'day', 'totals-by-service-provider': 'service_provider_id' },
  },
  { path: '/l1/accounts', key: 'address' },
  { path: '/l1/transactions', key: 'transaction_hash' },
  { path: '/l1/transaction-actors' },
  { path: '/l1/dc-burns' },
  { path: '/l1/gateways', key: 'address', date: 'first_timestamp' },
  { path: '/l1/packets' },
  { path: '/l1/rewards' },
]

const oneYear = { from: '2025-01-01', to: '2026-01-01' }
const everything = { from: '2000-01-01', to: '2100-01-01' }
/** A network of years has very many. */
const MOST_PAGES = 100

/** Gives a line for each operation: what was read, or the error that the client raised. */
export async function* relayTour(client: RelayClient): AsyncGenerator<string, void> {
  for (const { path, key, date, hasTotals, divided = {} } of stops) {
    const query = hasTotals ? everything : {}
    const records: ExactRecord[] = []
    yield await line(path, async () => {
      const walked = await walk(client, path, query, records)
      return date === undefined ? walked : `${walked}, ${rangeOf(records.map((record) => record[date]))}`
    })
    if (hasTotals) yield await line(`${path}/totals`, async () => said(await client.totals(path, query)))
    for (const [below, name] of Object.entries(divided)) {
      yield await line(`${path}/${below}`, async () => {
        const found = await client.divided(`${path}/${below}`, oneYear)
        return `${found.length} ${found.length === 1 ? 'record' : 'records'}, ${name} ${found.map((record) => String(record[name])).join(', ')}`
      })
    }
    if (key === undefined) continue
    yield await line(`${path}/{id}`, async () => {
      const [first] = records
      if (first === undefined) return 'nothing to look for'
      const value = String(first[key])
      const { id } = await client.find(path, value)
      return `${key} ${value} has the id ${id}`
    })
  }
}

async function line(path: string, ask: () => Promise<string>): Promise<string> {
  const answer = await ask().catch((error: unknown) => {
    if (!(error instanceof RelayError)) throw error
    return `error ${error.status} ${error.code === '' ? '' : `${error.code}: `}${error.message}`
  })
  return `${path.padEnd(32)} ${answer}`
}

async function walk(
  client: RelayClient,
  path: string,
  query: Readonly<Record<string, string>>,
  records: ExactRecord[],
): Promise<string> {
  let total = 0n
  let pages = 0
  for await (const page of client.pages(path, query)) {
    total = page.total
    pages += 1
    records.push(...page.records)
    if (pages === MOST_PAGES) break
  }
  const read = BigInt(records.length) === total ? `${total}` : `${records.length} of ${total}`
  return `${read} records on ${pages} ${pages === 1 ? 'page' : 'pages'}`
}

function rangeOf(dates: readonly (Exact | undefined)[]): string {
  const instants = dates.map((text) => relayDate(text).toISOString()).sort()
  return `${instants[0]?.slice(0, 10)} to ${instants.at(-1)?.slice(0, 10)}`
}

function said(sums: Readonly<Record<string, bigint>>): string {
  return Object.entries(sums)
    .map(([name, sum]) => `${name} ${sum}`)
    .join(', ')
}
