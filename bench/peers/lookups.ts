import { deepStrictEqual } from 'node:assert/strict'
import { type Client, openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import { measure, overHttp, type PeerCase, type Rounds } from './measure.ts'
import type { Setup } from './setup.ts'

/** Lookups of one record, and answers that a caller has already. Both beside a bare server that does the same. */

const LOOKED_UP = 50

export const lookups = [
  { name: 'gateway by address', path: '/v1/net/l1/gateways', key: 'address' },
  { name: 'account by address', path: '/v1/net/l1/accounts', key: 'address' },
  { name: 'transaction by hash', path: '/v1/net/l1/transactions', key: 'transaction_hash' },
  { name: 'transaction by id', path: '/v1/net/l1/transactions', key: 'id' },
] as const

/** Some records of a list of the ledger, to look up. */
export async function listedOf(
  client: Client,
  path: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  return JSON.parse((await client.get(`${path}?per_page=${LOOKED_UP}`)).toString()).objects
}

/** K1: every record must be the one that the list shows. */
export async function measureLookups(setup: Setup, rounds: Rounds): Promise<readonly PeerCase[]> {
  const client = openClient(setup.served.address)
  const cases: PeerCase[] = []
  for (const { name, path, key } of lookups) {
    const asked: Asked[] = []
    for (const listed of await listedOf(client, path)) {
      const address = `${path}/${listed[key]}`
      const body = (await client.get(address)).toString()
      deepStrictEqual(JSON.parse(body), listed)
      asked.push({ path: address, status: 200, body })
    }
    for (const connections of [1, 64]) {
      cases.push(await besideBare(setup, { id: 'K1', name, connections }, asked, ['ours'], rounds))
    }
  }
  client.close()
  return cases
}

/** H1: 304 for whoever shows the ETag of the answer; none when the server sends no ETag. */
export async function measureUnchanged(
  setup: Setup,
  addresses: readonly string[],
  rounds: Rounds,
): Promise<readonly PeerCase[]> {
  const asked: Asked[] = []
  for (const path of addresses) {
    const reply = await fetch(setup.served.address + path)
    const tag = reply.headers.get('etag')
    if (tag === null) return []
    asked.push({ path, header: `If-None-Match: ${tag}`, status: 304, body: '' })
  }
  const named = { id: 'H1', name: '304 on an unchanged ETag', connections: 64 }
  return [await besideBare(setup, named, asked, ['ours', 'remembering'], rounds)]
}

async function besideBare(
  { load, served, remembering, bare }: Setup,
  named: Pick<PeerCase, 'id' | 'name' | 'connections'>,
  asked: readonly Asked[],
  ours: readonly ('ours' | 'remembering')[],
  rounds: Rounds,
): Promise<PeerCase> {
  const client: Client = openClient(bare.address)
  for (const { path, body = '' } of asked) await client.put(path, body)
  client.close()
  const implementations = []
  const servers = { ours: served, remembering, bare }
  for (const label of [...ours, 'bare'] as const) {
    const { address } = servers[label]
    const name = `${named.id} ${named.name} ${label}`
    await load.prepare(name, address, asked)
    implementations.push(overHttp(load, label, name, named.connections))
  }
  return await measure({ ...named, distinct: asked.length }, implementations, rounds)
}
