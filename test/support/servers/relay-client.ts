import type { Exact, ExactRecord } from '../archive/records.ts'
import { readExact } from '../exact-json.ts'

/** A client as callers of the hosted service write theirs: it knows that service and nothing of this project. */

type Query = Readonly<Record<string, string>>

/** One page of a list. */
interface RelayPage {
  /** Records that match, over all pages. */
  readonly total: bigint
  readonly records: readonly ExactRecord[]
}

export interface RelayClient {
  /** The pages of a list, one after the other, until there is no next one. */
  pages(path: string, query?: Query): AsyncGenerator<RelayPage, void>
  find(path: string, id: string): Promise<ExactRecord>
  /** Each `total_…` of an operation. */
  totals(path: string, query: Query): Promise<Readonly<Record<string, bigint>>>
  /** The records of totals by day or by provider, which have no pages. */
  divided(path: string, query: Query): Promise<readonly ExactRecord[]>
}

/** What the service answered instead of what was asked for; `code` is empty where it names none. */
export class RelayError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** `base` ends in `/v1`. */
export function relayClient(base: string, key?: string): RelayClient {
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` }

  async function get(path: string, query: Query = {}): Promise<ExactRecord> {
    const parameters = new URLSearchParams(query).toString()
    const address = `${base}/helium${path}${parameters === '' ? '' : `?${parameters}`}`
    const reply = await fetch(address, { headers: { Accept: 'application/json', ...authorization } })
    const body = readExact<ExactRecord>(await reply.text())
    if (!reply.ok) throw new RelayError(reply.status, textIn(body.code), messageIn(body))
    return body
  }

  return {
    async *pages(path, query = {}) {
      for (let page: Exact = 1n; page !== null; ) {
        const { meta, records } = await get(path, { ...query, page: String(page) })
        const pagination = membersIn(membersIn(meta).pagination)
        const { count, next_page } = pagination
        if (typeof count !== 'bigint') throw unexpected('meta.pagination.count')
        if (!Array.isArray(records)) throw unexpected('records')
        yield { total: count, records: records as readonly ExactRecord[] }
        if (typeof next_page !== 'bigint' && next_page !== null) throw unexpected('meta.pagination.next_page')
        page = next_page
      }
    },

    find: (path, id) => get(`${path}/${encodeURIComponent(id)}`),

    async divided(path, query) {
      const { records } = await get(path, query)
      if (!Array.isArray(records)) throw unexpected('records')
      return records as readonly ExactRecord[]
    },
    async totals(path, query) {
      const sums = Object.entries(await get(`${path}/totals`, query))
      const isSum = ([name, value]: (typeof sums)[number]) =>
        name.startsWith('total_') && typeof value === 'bigint'
      if (sums.length === 0 || !sums.every(isSum)) throw unexpected('total_…')
      return Object.fromEntries(sums) as Record<string, bigint>
    },
  }
}

/** `2026-07-01 00:00:00 UTC`, the one form of a date. */
export function relayDate(text: Exact | undefined): Date {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/.exec(textIn(text)) ?? []
  if (day === undefined) throw unexpected(`a date such as 2026-07-01 00:00:00 UTC in place of ${text}`)
  return new Date(`${day}T${time}Z`)
}

function unexpected(what: string): RelayError {
  return new RelayError(200, '', `the reply lacks ${what}`)
}

/** Parameters are named in `errors`, a record that is not found in `error`, everything else in `message`. */
function messageIn({ errors, error, message }: ExactRecord): string {
  if (!Array.isArray(errors)) return textIn(message) || textIn(error)
  return errors
    .map((fault: Exact) => membersIn(fault))
    .map(({ param, message: what }) => `${textIn(param)}: ${textIn(what)}`)
    .join('; ')
}

function textIn(value: Exact | undefined): string {
  return typeof value === 'string' ? value : ''
}

function membersIn(value: Exact | undefined): ExactRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ExactRecord) : {}
}
