import { refuse } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { hitsRecord, MOST_HITS, MOST_OF_KIND, SIMILAR_RULE } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import { searchQuery } from '../contract/search-query.ts'
import { searchableBy } from '../gate/searchable.ts'
import { workOf } from '../gate/work-of.ts'
import { searchArguments } from '../open-api/paths/search-paths.ts'
import { writeReply } from './bounded-reply.ts'
import { argumentsOf, schemaOf } from './schemas.ts'
import { replyAt, type Tool } from './tool.ts'
import { BONES } from './units.ts'

/** Creates the search tool; `prefix` is that of REST paths. */
export function searchTool(resources: readonly Resource[], prefix: string): Tool {
  return {
    name: 'search',
    title: 'Search by name, key, address or hash',
    description:
      'Finds hotspots, makers, owners, accounts, gateways and transactions whose name, key, address or hash is the text or begins with it: ' +
      `at most ${MOST_OF_KIND} of a kind and ${MOST_HITS} in all, the exact ones first; more names the kinds that have more. ${SIMILAR_RULE} Ask it first when ` +
      'you have a text and do not know its kind. The last parts of path are the resource and the id of lookup, or the filter of list.',
    inputSchema: argumentsOf(Object.fromEntries(searchArguments.map((own) => [own.name, schemaOf(own)])), [
      'q',
    ]),
    async answer({ raw, faults }, context) {
      refuse(faults)
      const { q, asOf } = searchQuery(raw)
      const { repository, client } = context
      const { signal } = client
      const search = { q, ...searchableBy(resources, client) }
      return await replyAt(asOf, context, async (at) => {
        const work = workOf('search', repository.hits.estimate(search, at))
        const find = () => unlessGone(repository.hits.find(search, at, signal), signal)
        const hits = await client.inTurn(work, find)
        const head = { snapshot: at.id, units: { all: BONES } }
        return writeReply({ head, answer: hitsRecord(q, hits, prefix) })
      })
    },
  }
}
