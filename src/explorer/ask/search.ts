import { type PageKind, pathOf } from '../values/addresses.ts'
import type { Api } from './api.ts'

/** Something that a text names. `path` is that of its page. */
export interface Hit {
  readonly kind: PageKind
  readonly key: string
  /** What to show of it. */
  readonly text: string
  readonly path: string
}

type Found = Readonly<Record<string, unknown>> | undefined
type Rule = (api: Api, text: string) => Promise<Hit | undefined>

const hit = (kind: PageKind, key: unknown, text: unknown): Hit | undefined =>
  typeof key === 'string' ? { kind, key, text: String(text), path: pathOf(kind, key) } : undefined

/** The first record of a list, or the record of a lookup. */
async function first(api: Api, path: string, given: Readonly<Record<string, string>>): Promise<Found> {
  const { value } = await api.ask<Readonly<Record<string, readonly Found[]>>>(path, {
    ...given,
    per_page: '1',
  })
  return (value.records ?? value.objects)?.[0]
}

const one = async (api: Api, path: string, id: string): Promise<Found> =>
  (await api.find<NonNullable<Found>>(`${path}/${encodeURIComponent(id)}`))?.value

const slug = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .join('-')

const rules: readonly Rule[] = [
  async (api, text) => {
    const found = await one(api, '/l2/hotspots', text)
    return hit('hotspot', found?.ecc_key, found?.name ?? text)
  },
  async (api, owner) =>
    (await first(api, '/l2/hotspots', { owner })) ? hit('owner', owner, owner) : undefined,
  async (api, name) => {
    const found = await first(api, '/l1/gateways', { name: slug(name) })
    return hit('hotspot', found?.address, found?.name)
  },
  async (api, text) => {
    const found = await one(api, '/l1/gateways', text)
    return hit('gateway', found?.address, found?.name)
  },
  async (api, text) => hit('account', (await one(api, '/l1/accounts', text))?.address, text),
  async (api, text) => hit('transaction', (await one(api, '/l1/transactions', text))?.transaction_hash, text),
]

/** What a text names: a hotspot by key, asset or name, an owner, an account, a gateway or a transaction. Errors: Refused, when nothing could be asked. */
export async function search(api: Api, text: string): Promise<readonly Hit[]> {
  const answers = await Promise.allSettled(rules.map((rule) => rule(api, text.trim())))
  const hits = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value ? [answer.value] : [],
  )
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (hits.length === 0 && failed !== undefined) throw failed.reason
  // The page of a hotspot leads to its past as a gateway.
  const isHotspot = (key: string) => hits.some((one) => one.kind === 'hotspot' && one.key === key)
  return hits.filter(({ kind, key }) => kind !== 'gateway' || !isHotspot(key))
}
