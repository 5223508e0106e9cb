import { expect } from 'vitest'
import { readExact } from '../exact-json.ts'
import { type SeenShare, sharesAt, type Table, totalsAt, versionsOf } from './network.ts'

/** What every door answers about the growing network, told the same way. */
export interface Door {
  totals(table: Table, asOf?: string): Promise<SeenTotals>
  page(table: Table, page: number, asOf?: string): Promise<SeenPage>
}

interface SeenTotals {
  readonly snapshot: string
  /** Those other than 0. */
  readonly totals: Readonly<Record<string, bigint>>
}

interface SeenPage {
  readonly snapshot: string
  readonly pages: number
  readonly shares: readonly SeenShare[]
}

const SHARES_PER_PAGE = 8

/** The totals must be those of the snapshot that the answer names. */
export function expectTotals(table: Table, { snapshot, totals }: SeenTotals): void {
  expect(totals, `${table} totals at ${snapshot}`).toEqual(totalsAt(table, versionsOf(snapshot)))
}

/** Count, page and shares must be those of the snapshot that the answer names. */
export function expectPage(table: Table, page: number, { snapshot, pages, shares }: SeenPage): void {
  const all = sharesAt(table, versionsOf(snapshot))
  const first = (page - 1) * SHARES_PER_PAGE
  expect({ pages, shares }, `page ${page} of ${table} at ${snapshot}`).toEqual({
    pages: Math.ceil(all.length / SHARES_PER_PAGE),
    shares: all.slice(first, first + SHARES_PER_PAGE),
  })
}

/** GET of a path below the network, however it is sent. */
export type Get = (path: string) => Promise<{
  readonly status: number
  readonly text: string
  readonly snapshot: string
}>

interface RestRecord {
  readonly reward_type: string
  readonly reward_manifest: object | null
  readonly reward_detail: Readonly<Record<string, unknown>>
}

export function restDoor(get: Get): Door {
  async function ask<T>(table: Table, path: string, asOf: string | undefined) {
    const pin = asOf === undefined ? '' : `&as_of=${asOf}`
    const reply = await get(`/l2/${table}-reward-shares${path}from=2024-12-01&to=2025-02-01${pin}`)
    expect(reply.status, reply.text).toBe(200)
    if (asOf !== undefined) expect(reply.snapshot).toBe(asOf)
    return { snapshot: reply.snapshot, body: readExact<T>(reply.text) }
  }
  return {
    async totals(table, asOf) {
      const { snapshot, body } = await ask<Record<string, bigint>>(table, '/totals?', asOf)
      return { snapshot, totals: Object.fromEntries(Object.entries(body).filter(([, sum]) => sum !== 0n)) }
    },
    async page(table, page, asOf) {
      const { snapshot, body } = await ask<{
        meta: { count: bigint; total_pages: bigint }
        records: RestRecord[]
      }>(table, `?per_page=${SHARES_PER_PAGE}&page=${page}&`, asOf)
      const { meta, records } = body
      expect(meta.count).toBe(BigInt(records.length))
      return { snapshot, pages: Number(meta.total_pages), shares: records.map(seenShare) }
    },
  }
}

function seenShare({ reward_type, reward_manifest, reward_detail }: RestRecord): SeenShare {
  const { amount, beacon_amount, dc_transfer_reward, offloaded_bytes } = reward_detail
  return {
    type: reward_type,
    amount: (dc_transfer_reward ?? beacon_amount ?? amount) as bigint,
    bytes: (offloaded_bytes ?? null) as bigint | null,
    hasManifest: reward_manifest !== null,
  }
}
