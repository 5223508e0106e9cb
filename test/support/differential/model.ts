import { readExact } from '../exact-json.ts'
import type { Share, ShareFile } from '../network/shares.ts'
import { type Members, metaOf, recordOf, sharesOf, sumsOf } from '../properties/model.ts'
import type { Asked } from './requests.ts'

/** What was written decides: sums by a plain loop, pages by sorting and cutting. */
export interface Model {
  /** What a right answer says, in one spelling. */
  expect(asked: Asked): Expected
}

interface Expected {
  readonly answer: string
  /** The shares of the page. */
  readonly page: readonly Share[]
}

export function openModel(files: readonly ShareFile[]): Model {
  const manifests = new Map(files.map((file) => [file.name, [file]]))
  const fileOf = (share: Share) => manifests.get(share.file) ?? []
  return {
    expect({ verb, query, page, perPage }) {
      const shares = sharesOf(files, query)
      if (verb === 'totals') {
        const details = shares.map((share) => recordOf(fileOf(share), share).reward_detail as Members)
        return { answer: spell(sumsOf(query.network, details)), page: [] }
      }
      const own = shares.slice((page - 1) * perPage, page * perPage)
      const records = own.map((share) => recordOf(fileOf(share), share))
      return { answer: spell({ meta: metaOf(shares.length, page, perPage), records }), page: own }
    },
  }
}

/** The same of the body of a reply; ids and manifests are no part of what was drawn. */
export function spellReply(body: string): string {
  const reply = readExact<{ records?: Members[] }>(body)
  if (reply.records === undefined) return spell(reply)
  const records = reply.records.map(({ id: _, reward_manifest: __, ...own }) => own)
  return spell({ ...reply, records })
}

/** JSON with members in the order of their names, and every number as its digits. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `${one}`
    if (one === null || typeof one !== 'object' || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
