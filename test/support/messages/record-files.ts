import { writeFileSync } from 'node:fs'
import type { Resource } from '../../../src/catalog/resource.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'

type Members = Readonly<Record<string, unknown>>

/** A made-up maker as REST would answer it; without an id unless one is given. */
export function makerRecord(address: string, more: Members = {}): Members {
  return {
    address,
    update_authority: 'updater',
    issuing_authority: 'issuer',
    name: `Maker ${address}`,
    bump_seed: 255,
    collection: 'collection',
    merkle_tree: 'tree',
    collection_bump_seed: 254,
    dao: 'dao',
    ...more,
  }
}

/** A made-up hotspot of no network. */
export function hotspotRecord(asset: string, more: Members = {}): Members {
  return {
    asset_id: asset,
    ecc_key: `key-${asset}`,
    owner: 'owner',
    networks: [],
    name: `Hotspot ${asset}`,
    ...more,
  }
}

export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

export function writeRecords(path: string, records: readonly unknown[]): void {
  writeFileSync(path, ndjson(records))
}

/** Live rows of each source, by its name, as the log tells it. */
export async function rowsBySource(
  lake: string,
  resource: Resource,
): Promise<Readonly<Record<string, number>>> {
  const { sources } = (await new Lake(lake).latest()).table(resource)
  return Object.fromEntries([...sources.values()].map(({ name, rows }) => [name, rows]))
}

export async function versionIn(lake: string, resource: Resource): Promise<number> {
  return (await new Lake(lake).latest()).table(resource).version
}
