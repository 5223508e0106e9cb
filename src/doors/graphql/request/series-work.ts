import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Repository } from '../../../answers/repository.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'

/** Estimates the work of a field in milliseconds. Errors: those of the field. */
export type EstimateField = (
  given: Readonly<Record<string, unknown>>,
  repository: Repository,
  at: Snapshot,
) => number

/** Estimates the work of all series in a valid query, in milliseconds. A field with invalid arguments counts 0. */
export function seriesWorkOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  repository: Repository,
  at: Snapshot,
): number {
  const fields = schema.getQueryType()?.getFields() ?? {}
  let ms = 0
  for (const node of rootFields(document)) {
    const field = fields[node.name.value]
    const estimate = field?.extensions.estimate as EstimateField | undefined
    if (field === undefined || estimate === undefined) continue
    try {
      ms += estimate(getArgumentValues(field, node, variables), repository, at)
    } catch {}
  }
  return ms
}

/** Yields the selected fields of the query type. A valid document has no fragment cycles. */
function* rootFields(document: DocumentNode): Generator<FieldNode> {
  for (const one of document.definitions)
    if (one.kind === Kind.OPERATION_DEFINITION) yield* fieldsOf(document, one.selectionSet)
}

function* fieldsOf(document: DocumentNode, { selections }: SelectionSetNode): Generator<FieldNode> {
  for (const one of selections) {
    if (one.kind === Kind.FIELD) yield one
    else if (one.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(document, one.selectionSet)
    else
      for (const fragment of document.definitions)
        if (fragment.kind === Kind.FRAGMENT_DEFINITION && fragment.name.value === one.name.value)
          yield* fieldsOf(document, fragment.selectionSet)
  }
}
