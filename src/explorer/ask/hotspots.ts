import { currentDay } from '../values/days.ts'
import { isName } from '../values/hotspot-list.ts'
import { type Network, networkIds } from '../values/networks.ts'
import { cellAround } from '../values/places.ts'
import { type Api, Refused, type Reply } from './api.ts'
import { askSeries } from './series.ts'

interface Radio {
  readonly location: string | null
  readonly is_active: boolean | null
  readonly elevation?: string | null
  readonly gain?: string | null
  readonly device_type?: string | null
  readonly antenna?: string | null
}

/** The radio in each network; null if the hotspot has none. */
export type Radios = Readonly<Partial<Record<`${Network}_info`, Radio | null>>>

export interface HotspotRecord extends Radios {
  readonly ecc_key: string
  readonly name: string | null
  readonly owner: string
  readonly networks: readonly Network[]
  readonly maker: { readonly name: string } | null
}

interface HotspotPage {
  readonly records: readonly HotspotRecord[]
  readonly meta: { readonly next_page: string | null }
}

/** Returns the record of a hotspot; undefined without one. */
export const askHotspot = (api: Api, key: string) =>
  api.find<HotspotRecord>(`/l2/hotspots/${encodeURIComponent(key)}`)

/** Resolutions of H3 cells of about 5, 36 and 250 km². */
const RESOLUTIONS = [7, 6, 5] as const
const FEWEST = 5
const MOST = 100

/**
 * Requests other hotspots in the smallest cell around a hotspot that has at least five, otherwise in the largest. At most a
 * hundred of the network of its radio; undefined without a location.
 */
export async function askNeighbours(api: Api, { ecc_key: key, ...radios }: HotspotRecord) {
  const network = networkIds.find((id) => (radios[`${id}_info`]?.location ?? null) !== null)
  const cell = network && radios[`${network}_info`]?.location
  if (network === undefined || !cell) return undefined
  let reply: Reply<HotspotPage> | undefined
  let keys: readonly string[] = []
  for (const resolution of RESOLUTIONS) {
    const within = { [`${network}_location`]: cellAround(cell, resolution), per_page: String(MOST) }
    reply = await api.ask<HotspotPage>('/l2/hotspots', within)
    keys = reply.value.records.map((one) => one.ecc_key).filter((one) => one !== key)
    if (keys.length >= FEWEST) break
  }
  return { keys, address: reply?.address ?? '' }
}

/** Returns the keys of all hotspots of an owner. */
export async function askKeysOfOwner(api: Api, owner: string): Promise<readonly string[]> {
  const keys: string[] = []
  for (let page: string | null = '1'; page !== null; ) {
    const reply: Reply<HotspotPage> = await api.ask('/l2/hotspots', { owner, page, per_page: String(MOST) })
    keys.push(...reply.value.records.map((one) => one.ecc_key))
    page = reply.value.meta.next_page
  }
  return keys
}

/** Returns the keys of the hotspots of each name that several have. */
export async function askAmbiguous(
  api: Api,
  entries: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = entries.filter(isName)
  const day = currentDay()
  const span = { first: day, last: day, interval: 'day' } as const
  try {
    // The server refuses a list with an ambiguous name.
    if (names.length > 0)
      await askSeries(api, networkIds[0] as Network, { hotspot_key: names.join(',') }, span, {
        interval: 'all',
      })
    return new Map()
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 422) throw error
  }
  const keysOf = async (name: string) => {
    const { value } = await api.ask<HotspotPage>('/l2/hotspots', { name, per_page: '10' })
    return [name, value.records.map((one) => one.ecc_key)] as const
  }
  return new Map((await Promise.all(names.map(keysOf))).filter(([, keys]) => keys.length > 1))
}
