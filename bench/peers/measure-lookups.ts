import { deepStrictEqual } from 'node:assert/strict'
import { openClient } from '../support/client.ts'
import { checkEqual } from '../support/equal-bodies.ts'
import type { Asked } from '../support/load-process.ts'
import type { Label } from './cases.ts'
import { drawKeys } from './draw-keys.ts'
import { handOver } from './implementations.ts'
import { type LookupKind, lookups, pathOfKey } from './lookups.ts'
import { measure, overHttp, type PeerCase, type Rounds } from './measure.ts'
import type { Setup } from './setup.ts'

/** Lookups of one record, and answers that a caller has already. */

/** Of so many keys the record is also compared with that of the list. */
const LISTED = 100

/**
 * K1: PostgreSQL has to give the same record, byte for byte, and the list the same as well. They take twice as many
 * rounds as other cases, for the ratios of single rounds differ most.
 */
export async function measureLookups(
  setup: Setup,
  rounds: Rounds,
  keys: number,
): Promise<readonly PeerCase[]> {
  const cases: PeerCase[] = []
  const own = { ...rounds, rounds: rounds.rounds * 2 }
  for (const kind of lookups) {
    const named = { id: 'K1', name: kind.name, callers: [1, 16, 64] }
    const asked = await answersOf(setup, kind, keys)
    cases.push(...(await besideOthers(setup, named, asked, ['ours', 'two', 'bare', 'strong'], own)))
  }
  return cases
}

async function answersOf(setup: Setup, kind: LookupKind, keys: number): Promise<readonly Asked[]> {
  const { served, postgres, duckdb, at } = setup
  const ours = openClient(served.address)
  const peer = postgres && openClient(postgres.server.address)
  const asked: Asked[] = []
  for (const [index, key] of (await drawKeys(duckdb, at, kind, keys)).entries()) {
    const path = pathOfKey(kind, key)
    const [body, theirs] = await Promise.all([ours.get(path), peer?.get(`/strong${path}`)])
    if (theirs !== undefined) checkEqual(path, { ours: body, PostgreSQL: theirs })
    const record = JSON.parse(body.toString())
    if (record[kind.column] !== key) throw new Error(`${path} gives the record of another key: ${body}`)
    if (index < LISTED && kind.column !== 'id') {
      const list = await ours.get(`/v1/net${kind.resource.rest?.path}?${kind.column}=${key}`)
      const { objects, records } = JSON.parse(list.toString())
      deepStrictEqual([record], objects ?? records)
    }
    asked.push({ path, status: 200, body: body.toString() })
  }
  ours.close()
  peer?.close()
  return asked
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
  const named = { id: 'H1', name: '304 on an unchanged ETag', callers: [64] }
  return await besideOthers(setup, named, asked, ['ours', 'remembering', 'bare'], rounds)
}

async function besideOthers(
  setup: Setup,
  { id, name, callers }: { readonly id: string; readonly name: string; readonly callers: readonly number[] },
  asked: readonly Asked[],
  labels: readonly Label[],
  rounds: Rounds,
): Promise<readonly PeerCase[]> {
  const there = labels.filter((label) => setup.postgres !== undefined || label !== 'strong')
  const nameOf = (label: Label) => `${id} ${name} ${label}`
  await handOver(setup, nameOf, asked, new Set(there))
  const cases: PeerCase[] = []
  for (const connections of callers) {
    const implementations = there.map((label) => overHttp(setup.load, label, nameOf(label), connections))
    cases.push(await measure({ id, name, connections, distinct: asked.length }, implementations, rounds))
  }
  return cases
}
