import { describe, expect, it } from 'vitest'
import { type Case, readCorpus } from '../support/conformance/corpus.ts'

/** The operations of the specification with their parameters, copied by hand. */
const paged = ['page', 'per_page']
const shares = ['from', 'to', 'hotspot_key', 'reward_type']
/** Of ours, beside the specification: one series stands for the others. */
const series = ['from', 'to', 'hotspot_key', 'interval', 'group_by', 'limit']
const operations: Readonly<Record<string, readonly string[]>> = {
  '/net/l2/makers': paged,
  '/net/l2/makers/{id}': [],
  '/net/l2/hotspots': [
    ...[...paged, 'owner', 'asset_id', 'ecc_key', 'networks', 'maker_id'],
    ...['iot_location', 'mobile_location'],
  ],
  '/net/l2/hotspots/{id}': [],
  '/net/l2/iot-reward-shares': [...paged, ...shares],
  '/net/l2/iot-reward-shares/totals': shares,
  '/net/l2/iot-reward-shares/totals/series': series,
  '/net/l2/mobile-reward-shares': [...paged, ...shares],
  '/net/l2/mobile-reward-shares/totals': shares,
  '/net/l1/accounts': [...paged, 'address'],
  '/net/l1/accounts/{id}': [],
  '/net/l1/transactions': [...paged, 'transaction_hash', 'type', 'block', 'from', 'to'],
  '/net/l1/transactions/{id}': [],
  '/net/l1/transaction-actors': [...paged, 'actor_address', 'actor_role', 'transaction_hash', 'block'],
  '/net/l1/dc-burns': [...paged, 'actor_address', 'transaction_hash', 'type', 'block', 'from', 'to'],
  '/net/l1/gateways': [
    ...[...paged, 'address', 'owner_address', 'payer_address', 'mode', 'name', 'location_hex'],
  ],
  '/net/l1/gateways/{id}': [],
  '/net/l1/packets': [...paged, 'gateway_address', 'transaction_hash', 'block', 'from', 'to'],
  '/net/l1/rewards': [
    ...[...paged, 'account_address', 'gateway_address', 'transaction_hash', 'type', 'block', 'from', 'to'],
  ],
}

/** What ledgerlake answers beside the specification. */
const ours = ['/net/l1/rewards/series', '/net/status', '/net/statement']

const chapters = readCorpus()
const cases = chapters.flatMap((chapter) => chapter.cases)
const answered = cases.filter(({ request, status }) => request.startsWith('GET /net/') && status === 200n)

/** The operation of a request, with a parameter for the last part where that is an id. */
function askedBy({ request }: Case): { operation: string; parameters: readonly string[] } {
  const [path = '', query = ''] = request.replace('GET ', '').split('?')
  const operation = path in operations || ours.includes(path) ? path : path.replace(/[^/]+$/, '{id}')
  return { operation, parameters: [...new URLSearchParams(query).keys()] }
}

describe('the corpus', () => {
  it.each(Object.entries(operations))('requests %s with every parameter', (operation, parameters) => {
    const own = answered.map(askedBy).filter((asked) => asked.operation === operation)
    expect(own.length).toBeGreaterThan(0)
    const asked = new Set(own.flatMap((request) => request.parameters))
    expect(parameters.filter((name) => !asked.has(name))).toEqual([])
  })

  it('requests no operation that the specification lacks', () => {
    const known = [...Object.keys(operations), ...ours]
    expect(answered.map((own) => askedBy(own).operation).filter((name) => !known.includes(name))).toEqual([])
  })

  it('requests everything that ledgerlake adds', () => {
    const asked = cases.map((own) => askedBy(own).operation)
    expect(ours.filter((operation) => !asked.includes(operation))).toEqual([])
  })

  const ofSpecification = chapters.filter(({ name }) => name !== 'completeness')
  it.each(ofSpecification)('has cases of the specification alone in the chapter $title', ({ cases: own }) => {
    expect(own.some(({ level }) => level === 'spec')).toBe(true)
  })

  it('has a different title for each case', () => {
    for (const { cases: own } of chapters) {
      const titles = own.map(({ title }) => title)
      expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    }
  })
})
