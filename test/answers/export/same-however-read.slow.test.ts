import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { plainFormats, readers } from '../../support/export/read-files.ts'
import {
  dayBefore,
  hotspot,
  type MadeLake,
  makeLake,
  manifest,
  mobileReward,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

/** Rows of one source lie together where the engine reads them by number; the others come one by one. */
const path = '/v1/net/l2/mobile-reward-shares?from=2025-01-01&to=2025-03-01'
const texts = [
  '',
  'plain',
  'a "quoted" one',
  'a,b',

  'two\nlines',
  'tab\tand \\',
  'ünï © €',
  '\u0001',
  '\u0085',
  "'",
]

/** As many shares as fill more than one batch, of three days. */
const shares = (file: number) =>
  ['2025-01-10', '2025-01-11', '2025-02-03'].flatMap((day, at) => [
    ...Array.from({ length: at === 1 && file === 1 ? 4200 : 20 }, (_, number) =>
      mobileReward(day, number, {
        dc_transfer_reward: number % 7 === 0 ? 2n ** 64n - 1n : BigInt(number * file) ** 3n,
      }),
    ),
    ...texts.map((text, number) =>
      mobileShare({
        ...dayBefore(day),
        reward_type: 'radio_reward',
        ...{
          hotspot_key: hotspot(number).raw,
          cbsd_id: text,
          dc_transfer_reward: 1n,
          poc_reward: 10n ** BigInt(number),
        },
      }),
    ),
    ...texts.map((text) =>
      mobileShare({
        ...dayBefore(day),
        reward_type: 'promotion_reward',
        ...{ entity: text, service_provider_amount: 5n, matched_amount: 0n },
      }),
    ),
  ])

/** From 10^14 on there are no USD, since those of the largest amounts would need more than 38 digits. */
const prices = [
  [1, 10n ** 14n - 1n, 'mobile_reward_token_mobile'],
  [2, 10n ** 14n, 'mobile_reward_token_main'],
  [3, 123_456_789n, 'mobile_reward_token_main'],
  [4, 0n, 'mobile_reward_token_mobile'],
] as const

let lake: MadeLake
beforeAll(async () => {
  lake = await makeLake({
    ...Object.fromEntries(
      [1, 2, 3, 4, 5].map((file) => [`mobile/mobile_network_reward_shares_v1.${file}.gz`, shares(file)]),
    ),
    'mobile/network_reward_manifest_v1.9.gz': prices.map(([file, price, token]) =>
      manifest({
        written_files: [`mobile_network_reward_shares_v1.${file}.gz`],
        ...{ reward_type: 'mobile', token, epoch: 20_000n, price },
      }),
    ),
  })
})

async function serve(around?: (engine: Engine) => Engine) {
  const { server, close } = await buildTestServer(lake.folder, 60_000, around)
  onTestFinished(close)
  return async (query: string) => {
    const { statusCode, rawPayload } = await server.inject(`${path}&${query}`)
    expect(statusCode, rawPayload.toString('utf8', 0, 300)).toBe(200)
    return rawPayload
  }
}

const withoutPlaces = ({ byRowNumber: _, ...engine }: Engine): Engine => engine

describe('a whole list', () => {
  it.each([...plainFormats, 'ndjson&integers=string'])(
    'has the same bytes as %s however its rows are read',
    async (format) => {
      const [byPlace, oneByOne] = [await serve(), await serve(withoutPlaces)]
      const bytes = await byPlace(`format=${format}`)
      expect(bytes.length).toBeGreaterThan(200_000)
      expect(bytes.equals(await oneByOne(`format=${format}`))).toBe(true)
    },
  )

  it.each(plainFormats.filter((name) => name !== 'ndjson'))(
    'has unchanged texts in %s, and no USD if the price is too large',
    async (format) => {
      const get = await serve()
      const columns = 'columns=source_file,reward_type,cbsd_id,entity,price_usd,formatted_poc_reward,usd'
      const rows = (await readers[format]?.(await get(`format=${format}&${columns}`))) ?? []
      expect(rows).toEqual(await readers.ndjson?.(await get(`format=ndjson&${columns}`)))
      const radios = rows.filter(({ reward_type: type }) => type === 'radio_reward')
      expect(
        radios
          .slice(0, texts.length)
          .map(({ cbsd_id: id }) => id)
          .sort(),
      ).toEqual([...texts].sort())
      const promotions = rows.filter(({ reward_type: type }) => type === 'promotion_reward')
      expect(promotions.slice(0, texts.length).map(({ entity }) => entity)).toEqual(texts)
      const greatest = (file: number) =>
        rows.find(
          (row) =>
            row.source_file?.includes(`v1.${file}.`) &&
            row.formatted_poc_reward?.startsWith('10') &&
            row.cbsd_id === "'",
        )
      // 10^9 + 1 units of 10^-6 or 10^-8 at the price.
      expect(greatest(1)).toMatchObject({ price_usd: '99999999.999999', usd: '100000000099.998999999999' })
      expect(greatest(2)).toMatchObject({ price_usd: '1000000', usd: null })
      expect(greatest(3)).toMatchObject({ price_usd: '1.23456789', usd: '12.3456789123456789' })
      const plain = rows.filter((row) => /v1\.[45]\./.test(row.source_file ?? '')).map(({ usd }) => usd)
      expect(new Set(plain)).toEqual(new Set([null]))
    },
  )
})
