import { type FieldNode, type GraphQLObjectType, Kind, type SelectionSetNode } from 'graphql'
import { quoteJson } from '../../../base/values/json-writer.ts'

/** Writes JSON text. */
export type Write<T> = (value: T) => string

/** Returns the fields of a selection; undefined if it has anything else, or a name twice. */
export function plainFields(set: SelectionSetNode | undefined): readonly FieldNode[] | undefined {
  const fields: FieldNode[] = []
  const names = new Set<string>()
  for (const one of set?.selections ?? []) {
    if (one.kind !== Kind.FIELD || (one.directives?.length ?? 0) > 0) return undefined
    fields.push(one)
    names.add(responseName(one))
  }
  return names.size === fields.length ? fields : undefined
}

const responseName = ({ alias, name }: FieldNode) => (alias ?? name).value

export const labelOf = (field: FieldNode) => `${quoteJson(responseName(field))}:`

/**
 * Returns the writer of an object with the selected fields; undefined if the selection is not plain, or `writerOf` has no writer
 * for one of them. No field has arguments.
 */
export function selectionWriter<T>(
  set: SelectionSetNode | undefined,
  type: GraphQLObjectType,
  writerOf: (field: FieldNode) => Write<T> | undefined,
): Write<T> | undefined {
  const fields = plainFields(set)
  if (fields === undefined || fields.length === 0) return undefined
  const steps: { readonly before: string; readonly write: Write<T> }[] = []
  let before = '{'
  for (const field of fields) {
    if ((field.arguments?.length ?? 0) > 0) return undefined
    before += labelOf(field)
    if (field.name.value === '__typename' && field.selectionSet === undefined) before += quoteJson(type.name)
    else {
      const write = writerOf(field)
      if (write === undefined) return undefined
      steps.push({ before, write })
      before = ''
    }
    before += ','
  }
  const end = `${before.slice(0, -1)}}`
  return (value) => {
    let text = ''
    for (const step of steps) text += step.before + step.write(value)
    return text + end
  }
}
