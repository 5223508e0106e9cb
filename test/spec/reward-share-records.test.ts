import { beforeAll, describe, expect, it } from 'vitest'
import { exactNumber, readExact } from '../support/exact-json.ts'
import { readSamples, type Sample, smallNetwork } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  makeLake,
  manifest,
  mobileShare,
  priced,
} from '../support/lakes/make-lake.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Network = 'iot' | 'mobile'
type Detail = Readonly<Record<string, unknown>>

/** A reward share as the reply has it, integers as bigint. */
interface Share extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly reward_type: string
  readonly reward_detail: Detail
  readonly reward_manifest:
    | (Detail & { reward_detail: Detail; written_files: string[]; price: bigint })
    | null
}

const lists = { iot: '/l2/iot-reward-shares', mobile: '/l2/mobile-reward-shares' }

/** All shares of a network, page by page, integers as bigint. */
async function sharesOf(server: TestServer, network: Network, more = ''): Promise<readonly Share[]> {
  const shares: Share[] = []
  for (let page = 1n; ; page += 1n) {
    const range = 'from=2000-01-01&to=2100-01-01&per_page=100'
    const { status, text } = await server.get(`${lists[network]}?${range}&page=${page}${more}`)
    expect(status).toBe(200)
    const body = readExact<{ meta: { next_page: bigint | null }; records: Share[] }>(text)
    shares.push(...body.records)
    if (body.meta.next_page === null) return shares
  }
}

/** Whole tokens as text, by splitting digits: an independent way to `formatted_…`. */
function inTokens(units: bigint, decimals: 6 | 8): string {
  const scale = 10n ** BigInt(decimals)
  const fraction = `${scale + (units % scale)}`.slice(1)
  return `${units / scale}.${fraction[0]}${fraction.slice(1).replace(/0+$/, '')}`
}

/** reward / price / 0.5 * 2^30, rounded half up, by quotient and remainder. */
function bytesOf(reward: bigint, price: bigint): bigint {
  const twice = reward * 2n ** 30n * 2n
  return twice / price + ((twice % price) * 2n >= price ? 1n : 0n)
}

/** Seconds since 1970 as the interface writes them. */
function timeOf(seconds: unknown): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

const tokens = {
  iot: { name: 'iot_reward_token_iot', decimals: 6 },
  mobile: { name: 'mobile_reward_token_mobile', decimals: 6 },
  main: { name: 'reward_token_main', decimals: 8 },
} as const

describe('shares of the small network', () => {
  let server: TestServer
  let shares: Readonly<Record<Network, readonly Share[]>>

  beforeAll(async () => {
    server = await buildTestServer(await smallLake())
    shares = { iot: await sharesOf(server, 'iot'), mobile: await sharesOf(server, 'mobile') }
  })

  it('keep their ids when the same files are ingested elsewhere', async () => {
    const other = await buildTestServer(await smallLake('a commit for each file'))
    expect((await sharesOf(other, 'iot')).map((share) => share.id)).toEqual(shares.iot.map(({ id }) => id))
  })

  const samples = readSamples()
  const shareSamples = (['iot', 'mobile'] as const).flatMap((network) =>
    samples[network].map((sample, index) => ({ network, type: sample.reward_type, index, sample })),
  )

  it('have samples of all three variants of IoT and all seven of Mobile', () => {
    expect(new Set(shareSamples.map(({ network, type }) => `${network} ${type}`)).size).toBe(10)
  })

  it.each(shareSamples)('include $network sample $index, a $type, value by value', ({ network, sample }) => {
    const { reward_type, start_period, end_period, file, token, ...values } = sample
    const { decimals, name } = tokens[token as keyof typeof tokens]
    const found = shares[network].filter(
      (share) =>
        share.reward_type === reward_type && share.reward_manifest?.written_files.includes(String(file)),
    )
    expect(found.map((share) => share.reward_detail)).toContainEqual(detailOf(values, decimals))
    for (const share of found) {
      expect(share.start_period).toBe(timeOf(start_period))
      expect(share.end_period).toBe(timeOf(end_period))
      expect(share.reward_manifest?.reward_detail.token).toBe(token === 'main' ? `${network}_${name}` : name)
    }
  })

  /** What the sample's values look like in a reply: decimals as numbers, times as text, with formatted members. */
  function detailOf(values: Sample, decimals: 6 | 8): Detail {
    const numbers = ['_points_sum', '_reward_shares', '_multiplier']
    const unformatted = ['base_poc_reward', 'boosted_poc_reward', 'service_provider_amount', 'matched_amount']
    const detail: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values)) {
      if (name === 'seniority_timestamp') detail[name] = timeOf(value)
      else if (numbers.some((end) => name.endsWith(end))) detail[name] = exactNumber(String(value))
      else detail[name] = value
      const isFormatted = typeof value === 'bigint' && /(amount|reward)$/.test(name)
      if (isFormatted && !unformatted.includes(name)) detail[`formatted_${name}`] = inTokens(value, decimals)
    }
    return detail
  }

  it('have the offloaded bytes computed from reward and price of the manifest, sample by sample', () => {
    const prices = new Map(
      samples.manifests.map((sample) => [String(sample.written_files), sample.price as bigint]),
    )
    const priced = samples.mobile.filter((sample) => sample.offloaded_bytes !== undefined)
    expect(priced.length).toBeGreaterThan(3)
    for (const { dc_transfer_reward, offloaded_bytes, file } of priced) {
      expect(bytesOf(dc_transfer_reward as bigint, prices.get(String(file)) ?? 0n)).toBe(offloaded_bytes)
    }
  })

  it('have offloaded bytes rounded half up in every share that was paid for data', () => {
    const paid = shares.mobile.filter((share) => 'offloaded_bytes' in share.reward_detail)
    expect(paid.length).toBeGreaterThan(200)
    expect(new Set(paid.map((share) => share.reward_manifest?.price)).size).toBe(4)
    for (const { reward_detail, reward_manifest } of paid) {
      const { dc_transfer_reward, offloaded_bytes } = reward_detail
      expect(offloaded_bytes).toBe(bytesOf(dc_transfer_reward as bigint, reward_manifest?.price ?? 0n))
    }
  })

  it('write the coverage object in padded base64 of its 16 bytes', () => {
    const radios = shares.mobile.filter((share) => share.reward_type === 'radio_reward_v2')
    expect(radios.map((share) => share.reward_detail.coverage_object)).toContain('6LcMZ7GOU6+lcYyrUHT4kw==')
    for (const { reward_detail } of radios) {
      const { coverage_object } = reward_detail
      if (coverage_object !== null) expect(coverage_object).toMatch(/^[A-Za-z\d+/]{22}==$/)
    }
  })

  it('have integers without quotes if integers=number is requested', async () => {
    const query = 'from=2025-01-28&to=2025-02-01&integers=number'
    const { text } = await server.get(`${lists.iot}/totals?${query}`)
    expect(text).toContain('"total_amount":36403378988914885')
  })
})

describe('shares without their manifests', () => {
  it('have null for the manifest and all that depends on it, until the manifests are ingested', async () => {
    const folder = await temporaryFolder()
    await ingestInto(folder, [smallNetwork], { kinds: ['iot_reward_share', 'mobile_reward_share'] })
    const before = await buildTestServer(folder)
    let derived = 0
    for (const network of ['iot', 'mobile'] as const) {
      for (const { reward_manifest, reward_detail } of await sharesOf(before, network)) {
        expect(reward_manifest).toBeNull()
        for (const [name, value] of Object.entries(reward_detail)) {
          if (!name.startsWith('formatted_') && name !== 'offloaded_bytes') continue
          expect(value, name).toBeNull()
          derived += 1
        }
      }
    }
    expect(derived).toBeGreaterThan(1000)
    const range = 'from=2025-01-28&to=2025-02-01'
    const { text } = await before.get(`${lists.mobile}/totals?${range}`)
    expect(text).toContain('"total_dc_transfer_reward":126497655697,')
    expect(text).toContain('"total_offloaded_bytes":0}')

    await ingestInto(folder, [smallNetwork], { kinds: ['reward_manifest'] })
    const after = await buildTestServer(folder)
    expect((await after.get(`${lists.mobile}/totals?${range}`)).text).toContain(
      '"total_offloaded_bytes":1952243726578746}',
    )
    for (const share of some(await sharesOf(after, 'mobile'))) expect(share.reward_manifest).not.toBeNull()
  })
})

describe('shares at the limits', () => {
  const most = 2n ** 64n - 1n
  const period = dayBefore('2025-01-29')
  const [first, second] = [hotspot(1), hotspot(2)]

  async function serve(files: Parameters<typeof makeLake>[0]): Promise<TestServer> {
    const lake = await makeLake(files)
    const server = await buildTestServer(lake.folder)
    return server
  }

  it('have the largest 64-bit amounts, and their sums exceed 64 bits', async () => {
    const row = { ...period, reward_type: 'gateway_reward', beacon_amount: most, witness_amount: 2n ** 63n }
    const server = await serve({
      'iot/iot_reward_share.1.gz': [first, second, first].map(({ raw }) =>
        iotShare({ ...row, hotspot_key: raw, dc_transfer_amount: 2n ** 53n + 1n }),
      ),
      'iot/reward_manifest.2.gz': [
        manifest({
          written_files: ['iot_reward_share.1.gz'],
          reward_type: 'iot',
          token: 'iot_reward_token_main',
        }),
      ],
    })
    const range = 'from=2025-01-28&to=2025-01-29'
    const { text } = await server.get(`${lists.iot}?${range}&hotspot_key=${first.text}`)
    expect(text).toContain(
      `"reward_detail":{"hotspot_key":"${first.text}",` +
        '"beacon_amount":18446744073709551615,"formatted_beacon_amount":"184467440737.09551615",' +
        '"witness_amount":9223372036854775808,"formatted_witness_amount":"92233720368.54775808",' +
        '"dc_transfer_amount":9007199254740993,"formatted_dc_transfer_amount":"90071992.54740993"}',
    )
    const whole = await server.get(`${lists.iot}/totals?${range}`)
    expect(whole.text).toBe(
      '{"total_beacon_amount":55340232221128654845,"total_witness_amount":27670116110564327424,' +
        '"total_dc_transfer_amount":27021597764222979,"total_amount":0}',
    )
    const own = await server.get(`${lists.iot}/totals?${range}&hotspot_key=${first.text}`)
    expect(own.text).toContain('"total_beacon_amount":36893488147419103230,')
  })

  it('round offloaded bytes half up, row by row, before they are summed', async () => {
    // At a price of 2^32, one bone stands for half a byte.
    const server = await serve({
      'mobile/mobile_reward_share.1.gz': [1n, 1n, 3n, 2n, 0n].map((dc_transfer_reward) =>
        mobileShare({ ...period, reward_type: 'gateway_reward', hotspot_key: first.raw, dc_transfer_reward }),
      ),
      'mobile/reward_manifest.2.gz': [
        manifest({
          written_files: ['mobile_reward_share.1.gz'],
          token: 'mobile_reward_token_mobile',
          price: 2n ** 32n,
        }),
      ],
    })
    const bytes = (await sharesOf(server, 'mobile')).map((share) => share.reward_detail.offloaded_bytes)
    expect(bytes).toEqual([1n, 1n, 2n, 1n, 0n])
    for (const more of ['', `&hotspot_key=${first.text}`, '&reward_type=gateway_reward']) {
      const { text } = await server.get(`${lists.mobile}/totals?from=2025-01-28&to=2025-01-29${more}`)
      expect(text).toContain('"total_dc_transfer_reward":7,')
      expect(text).toContain('"total_offloaded_bytes":5}')
    }
  })

  it('sum offloaded bytes beyond 64 bits', async () => {
    const server = await serve({
      'mobile/mobile_reward_share.1.gz': [most, most].map((dc_transfer_reward) =>
        mobileShare({ ...period, reward_type: 'gateway_reward', hotspot_key: first.raw, dc_transfer_reward }),
      ),
      'mobile/reward_manifest.2.gz': [priced('mobile_reward_share.1.gz', 1n)],
    })
    // (2^64 - 1) * 2^31 * 2
    const sum = '79228162514264337589248983040'
    for (const more of ['', `&hotspot_key=${first.text}`]) {
      const { text } = await server.get(`${lists.mobile}/totals?from=2025-01-28&to=2025-01-29${more}`)
      expect(text).toContain(`"total_offloaded_bytes":${sum}}`)
    }
    const [share] = await sharesOf(server, 'mobile')
    expect(share?.reward_detail.offloaded_bytes).toBe(39_614_081_257_132_168_794_624_491_520n)
  })

  it('have no offloaded bytes when the price of the manifest is 0', async () => {
    const server = await serve({
      'mobile/mobile_reward_share.1.gz': [
        mobileShare({
          ...period,
          reward_type: 'gateway_reward',
          hotspot_key: first.raw,
          dc_transfer_reward: 5n,
          price: 7n,
        }),
      ],
      'mobile/reward_manifest.2.gz': [
        manifest({ written_files: ['mobile_reward_share.1.gz'], token: 'mobile_reward_token_mobile' }),
      ],
    })
    const [share] = await sharesOf(server, 'mobile')
    expect(share?.reward_manifest).toMatchObject({ price: 0n, epoch: 0n })
    expect(share?.reward_detail).toMatchObject({
      formatted_dc_transfer_reward: '0.000005',
      offloaded_bytes: null,
    })
    const { text } = await server.get(`${lists.mobile}/totals?from=2025-01-28&to=2025-01-29`)
    expect(text).toContain('"total_offloaded_bytes":0}')
  })

  it('embed a manifest without reward data with a detail of nulls, and have no formatted amounts', async () => {
    const server = await serve({
      'foundation-iot/iot_reward_share.1.gz': [
        iotShare({ ...period, reward_type: 'operational_reward', amount: 5n }),
      ],
      'foundation-iot/reward_manifest.2.gz': [
        manifest({ written_files: ['iot_reward_share.1.gz'], epoch: 5n }),
      ],
    })
    const [share] = await sharesOf(server, 'iot')
    expect(share?.reward_detail).toEqual({ amount: 5n, formatted_amount: null })
    expect(share?.reward_manifest).toMatchObject({ reward_type: 'iot', epoch: 5n, price: 0n })
    expect(share?.reward_manifest?.reward_detail).toEqual({
      poc_bones_per_beacon_reward_share: null,
      poc_bones_per_witness_reward_share: null,
      dc_bones_per_share: null,
      dc_bones_per_share_exact: null,
      token: null,
    })
  })

  it('use the later of two manifests that name one file, by the time in the file name', async () => {
    const share = { ...period, reward_type: 'gateway_reward', hotspot_key: first.raw, dc_transfer_reward: 5n }
    const written_files = ['mobile_reward_share.1.gz']
    const server = await serve({
      'mobile/mobile_reward_share.1.gz': [mobileShare(share)],
      'mobile/reward_manifest.900.gz': [
        manifest({ written_files, token: 'mobile_reward_token_mobile', price: 2n ** 31n }),
      ],
      'mobile/network_reward_manifest_v1.1000.gz': [
        manifest({ written_files, token: 'mobile_reward_token_main', price: 2n ** 30n }),
      ],
    })
    const [record] = await sharesOf(server, 'mobile')
    expect(record?.reward_manifest?.price).toBe(2n ** 30n)
    expect(record?.reward_detail).toMatchObject({
      formatted_dc_transfer_reward: '0.00000005',
      offloaded_bytes: 10n,
    })
    const { text } = await server.get(`${lists.mobile}/totals?from=2025-01-28&to=2025-01-29`)
    expect(text).toContain('"total_offloaded_bytes":10}')
  })

  it('keep manifests of both networks apart although their files share a name', async () => {
    const server = await serve({
      'iot/iot_reward_share.1.gz': [iotShare({ ...period, reward_type: 'operational_reward', amount: 5n })],
      'mobile/mobile_reward_share.1.gz': [
        mobileShare({ ...period, reward_type: 'service_provider_reward', amount: 5n }),
      ],
      'iot/reward_manifest.2.gz': [
        manifest({
          written_files: ['iot_reward_share.1.gz'],
          reward_type: 'iot',
          token: 'iot_reward_token_iot',
        }),
      ],
      'mobile/reward_manifest.2.gz': [
        manifest({ written_files: ['mobile_reward_share.1.gz'], token: 'mobile_reward_token_main' }),
      ],
    })
    const [[iot], [mobile]] = [await sharesOf(server, 'iot'), await sharesOf(server, 'mobile')]
    expect(iot?.reward_detail).toEqual({ amount: 5n, formatted_amount: '0.000005' })
    expect(mobile?.reward_detail).toEqual({
      service_provider_id: 'helium_mobile',
      amount: 5n,
      formatted_amount: '0.00000005',
    })
    expect(iot?.reward_manifest?.id).not.toBe(mobile?.reward_manifest?.id)
  })

  it('keep an unknown enum number as its digits, an empty cbsd_id as empty and unknown seniority as null', async () => {
    const server = await serve({
      'mobile/mobile_reward_share.1.gz': [
        mobileShare({
          ...period,
          reward_type: 'unallocated_reward',
          unallocated_reward_type: '99',
          amount: 1n,
        }),
        mobileShare({
          ...period,
          reward_type: 'radio_reward_v2',
          hotspot_key: first.raw,
          sp_boosted_hex_status: '41',
          base_reward_shares: '123.4567890123456789012345678',
          boosted_reward_shares: '-0.50',
        }),
      ],
    })
    const [radio, unallocated] = await sharesOf(server, 'mobile')
    expect(unallocated?.reward_detail.unallocated_reward_type).toBe('99')
    expect(radio?.reward_detail).toEqual({
      hotspot_key: first.text,
      cbsd_id: '',
      base_coverage_points_sum: 0n,
      boosted_coverage_points_sum: 0n,
      base_reward_shares: exactNumber('123.4567890123456789012345678'),
      boosted_reward_shares: exactNumber('-0.5'),
      base_poc_reward: 0n,
      boosted_poc_reward: 0n,
      seniority_timestamp: null,
      coverage_object: null,
      location_trust_score_multiplier: 0n,
      speedtest_multiplier: 0n,
      sp_boosted_hex_status: '41',
      oracle_boosted_hex_status: 'oracle_boosted_hex_status_eligible',
    })
  })

  it('have the first and the last second in which a period can end', async () => {
    const server = await serve({
      'iot/iot_reward_share.1.gz': [
        iotShare({ start_period: 0n, end_period: 1_000_000n, reward_type: 'operational_reward', amount: 1n }),
        iotShare({
          start_period: 253_402_300_798_000_000n,
          end_period: 253_402_300_799_000_000n,
          reward_type: 'operational_reward',
          amount: 2n,
        }),
      ],
    })
    const { text } = await server.get(`${lists.iot}?from=1970-01-01&to=9999-12-31T23:59:59Z`)
    expect(text).toContain('"start_period":"1970-01-01T00:00:00Z","end_period":"1970-01-01T00:00:01Z"')
    expect(text).toContain('"start_period":"9999-12-31T23:59:58Z","end_period":"9999-12-31T23:59:59Z"')
  })

  it('that are equal in one file are two shares with two ids', async () => {
    const message = iotShare({ ...period, reward_type: 'operational_reward', amount: 5n })
    const server = await serve({ 'iot/iot_reward_share.1.gz': [message, message] })
    const records = await sharesOf(server, 'iot')
    expect(records.map((share) => share.reward_detail.amount)).toEqual([5n, 5n])
    expect(new Set(records.map((share) => share.id)).size).toBe(2)
  })
})
