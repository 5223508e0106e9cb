import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import { unlessGone } from '../../../base/unless-gone.ts'
import type { JsonObject } from '../../../base/values/json-writer.ts'
import { hitsRecord, MOST_HITS, MOST_OF_KIND, SIMILAR_RULE } from '../../../catalog/records/search-hit.ts'
import { hitKinds } from '../../../catalog/search-face.ts'
import { searchParameters, searchQuery } from '../../contract/search-query.ts'
import type { GraphqlContext } from '../request/context.ts'

const text = (description: string) => ({ type: new GraphQLNonNull(GraphQLString), description })
const listOf = (type: GraphQLObjectType | GraphQLEnumType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

const kindType = new GraphQLEnumType({
  name: 'HitKind',
  description: 'Kind of a search result.',
  values: Object.fromEntries(hitKinds.map((kind) => [kind.toUpperCase(), { value: kind }])),
})

const hitType = new GraphQLObjectType<JsonObject, GraphqlContext>({
  name: 'Hit',
  description: 'A result of a search.',
  fields: {
    kind: { type: new GraphQLNonNull(kindType) },
    id: { type: GraphQLString, description: 'Id of the record; null for an owner.' },
    key: text('Key of a hotspot, address, or hash.'),
    name: { type: GraphQLString, description: 'Null if it has none.' },
    matched: text('The member of REST whose text matched, such as ecc_key.'),
    text: text('The matched text.'),
    isExact: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether it is the whole text that was searched for.',
      resolve: (hit) => hit.is_exact,
    },
    path: text('Path of the REST operation that returns it.'),
  },
})

const hitsType = new GraphQLObjectType<JsonObject, GraphqlContext>({
  name: 'Hits',
  description: 'Results of a search.',
  fields: {
    q: text('The searched text.'),
    hits: { type: listOf(hitType), description: 'The exact ones first, then by kind and text.' },
    more: { type: listOf(kindType), description: 'Kinds with more hits.' },
  },
})

/** Creates the field of the search, with the kinds, checks and errors of REST. */
export const searchField: GraphQLFieldConfig<unknown, GraphqlContext> = {
  type: new GraphQLNonNull(hitsType),
  description: `Records that have a name, key, address or hash, or one that begins with it: at most ${MOST_OF_KIND} of a kind and ${MOST_HITS} in all. ${SIMILAR_RULE}`,
  args: { q: text(searchParameters.q) },
  async resolve(
    _root,
    given: { readonly q: string },
    { repository, signal, answeredBy, snapshot, searched },
  ) {
    const { q } = searchQuery(given)
    const { prefix, ...wanted } = searched()
    const at = await snapshot()
    answeredBy.push(repository.hits.estimate({ q, ...wanted }, at).by)
    return hitsRecord(q, await unlessGone(repository.hits.find({ q, ...wanted }, at, signal), signal), prefix)
  },
}
