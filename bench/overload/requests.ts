import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { epochsOfWorkload, type Workload } from '../support/network.ts'

const COUNT = 2000
const PER_PAGE = 100
/** At least half of the hotspots of a made-up network are paid by IoT every day. */
const PAID_SHARE = 0.5
const SERIES_DAYS = 2
/** With these fields ten lists of 100 rows are as many values as one query may ask for. */
const fields = `id hotspotKey amount beaconAmount witnessAmount dcTransferAmount startPeriod endPeriod rewardType
  unallocatedRewardType`

export const floodNames = ['pages', 'GraphQL, 10 lists of 100 rows', 'series by hotspot'] as const

/** Requests of one kind as they are sent, each for other rows than the one before. */
export function requestsOf(
  name: (typeof floodNames)[number],
  workload: Workload,
  address: string,
): readonly string[] {
  const random = openRandom(deriveSeed(workload.seed, 'overload', name))
  const host = `Host: ${new URL(address).host}`
  const days = epochsOfWorkload(workload).map(({ start }) => new Date(Number(start / 1000n)).toISOString())
  const pages = Math.floor((workload.days * workload.hotspots * PAID_SHARE) / PER_PAGE)
  return Array.from({ length: COUNT }, () => {
    if (name === 'pages') {
      const page = 1 + random.below(pages)
      const path = `/v1/net/l2/iot-reward-shares?from=2000-01-01&to=2100-01-01&per_page=${PER_PAGE}&page=${page}`
      return `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`
    }
    if (name === 'series by hotspot') {
      const first = random.below(days.length - SERIES_DAYS)
      const range = `from=${days[first]}&to=${days[first + SERIES_DAYS]}`
      const path = `/v1/net/l2/iot-reward-shares/totals/series?${range}&group_by=hotspot&limit=${10 + random.below(90)}`
      return `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`
    }
    const lists = Array.from({ length: 10 }, (_, at) => {
      const from = days[random.below(days.length)]
      return `l${at}: iotRewardShares(first: 100, startPeriod: "${from}") { nodes { ${fields} } }`
    })
    const body = JSON.stringify({ query: `{ ${lists.join(' ')} }` })
    const head = `POST /graphql HTTP/1.1\r\n${host}\r\nContent-Type: application/json`
    return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  })
}
