import { listWords } from '../../base/list-words.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Kind } from '../../catalog/column.ts'
import type { Member, Nested, RecordMembers } from '../../catalog/members.ts'
import { mainToken, NETWORK_TOKEN_DECIMALS, networkSymbols } from '../../catalog/networks.ts'
import { memberMeaning, totalMeaning } from '../../catalog/records/member-meaning.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Operation } from '../contract/query-schema.ts'
import { rowMembers } from '../contract/series-members.ts'

const measuredKinds: readonly Kind[] = ['amount', 'whole', 'decimal']

export const BONES =
  `Integers are exact, as text. A bone is the smallest unit of a token: 10^-${mainToken.decimals} ${mainToken.symbol} and 10^-8 of the main token of L1, ` +
  `10^-${NETWORK_TOKEN_DECIMALS} ${listWords(networkSymbols, 'or')}; the manifest of a reward names its token. ` +
  'Amounts of different tokens do not add up. Times are UTC.'

/** Units of the numeric members of an answer. A `formatted_` member has the unit of its amount. */
export function unitsOf(resource: Resource, operation: Operation): JsonObject {
  return { all: BONES, ...Object.fromEntries(measuredMembers(resource, operation)) }
}

function measuredMembers(resource: Resource, operation: Operation): readonly (readonly [string, string])[] {
  if (operation === 'totals')
    return Object.entries(resource.totals ?? {}).map(([name, member]) => [
      name,
      `Sum of ${totalMeaning(member)}. ${typeof member === 'string' ? memberMeaning(resource, member) : ''}`.trim(),
    ])
  if (operation === 'series')
    return rowMembers(resource).flatMap(({ name, holds, doc }) =>
      (holds === 'sum' || holds === 'decimal') && doc !== undefined && !name.startsWith('formatted_')
        ? [[name, doc] as const]
        : [],
    )
  const cases = Object.values(resource.variants?.cases ?? {})
  return [resource.record ?? {}, ...cases].flatMap((members) => measuredRecordMembers(resource, members))
}

function measuredRecordMembers(
  resource: Resource,
  members: RecordMembers,
): readonly (readonly [string, string])[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (isNested(member)) return measuredRecordMembers(resource, member.members)
    const column = resource.columns[typeof member === 'string' ? member : member.of]
    const isMeasured = column !== undefined && measuredKinds.includes(column.kind)
    return isMeasured && !name.startsWith('formatted_')
      ? [[name, memberMeaning(resource, member)] as const]
      : []
  })
}

function isNested(member: Member | Nested): member is Nested {
  return typeof member === 'object' && 'members' in member
}
