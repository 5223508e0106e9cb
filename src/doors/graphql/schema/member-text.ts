import type { Kind } from '../../../catalog/column.ts'
import type { Member } from '../../../catalog/members.ts'
import { noFacts } from '../../../catalog/records/member.ts'
import { memberWriter } from '../../../catalog/records/member-text.ts'
import { specifiedSpelling } from '../../../catalog/records/spelling.ts'
import { cacheLast } from '../../../catalog/records/value-text.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { WriteEntry } from '../rows/row-writer.ts'

/** Kinds whose values have the same text as in a record of REST with integers as text. */
const sameKinds: ReadonlySet<Kind | undefined> = new Set<Kind>([
  ...(['text', 'choice', 'uuid', 'instant', 'seconds', 'boolean'] as const),
  ...(['amount', 'long', 'whole', 'cell', 'decimal'] as const),
])

/** Derivations of which the same holds. */
const sameDerivations: ReadonlySet<string> = new Set(['formatted', 'number'])

/** Returns the writer of a member as REST has it; undefined if GraphQL writes it in another way. */
export function textWriter(resource: Resource, member: Member): WriteEntry | undefined {
  const style = { resource, spelling: specifiedSpelling, integersAsText: true }
  const write = memberWriter(member, { ...style, digitsOf: () => cacheLast((value) => value.toString()) })
  if (typeof member !== 'string')
    return sameDerivations.has(member.derive)
      ? ({ row, facts }) => write(row, { facts, embedded: {} })
      : undefined
  return sameKinds.has(resource.columns[member]?.kind) ? ({ row }) => write(row, outsideRow) : undefined
}

const outsideRow = { facts: noFacts, embedded: {} }
