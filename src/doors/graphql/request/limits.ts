import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { MOST_NODES } from '../../contract/page-parameters.ts'

/** Limits of a query. Each list is one search; cost is the largest number of values in the response. */
export const queryLimits = {
  characters: 100_000,
  tokens: 5_000,
  fields: 500,
  aliases: 30,
  lists: 10,
  depth: 15,
  cost: 20_000,
} as const

/** Fields whose selections repeat for every row. */
const rowFields = ['nodes', 'edges']

interface Size {
  readonly depth: number
  /** Fields with a selection, introspection excluded. At the top level these are the lists. */
  readonly branches: number
  /** Number of values outside rows, and of values in one row. */
  readonly cost: number
  readonly costPerRow: number
}

const nothing: Size = { depth: 0, branches: 0, cost: 0, costPerRow: 0 }

/**
 * Returns errors if the query exceeds a limit. Runs before all other checks, because some of them take exponential time.
 * Visits each fragment once.
 */
export function largeQueryErrors(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] {
  const { fields, aliases } = countFields(document)
  if (fields > queryLimits.fields) return [tooLarge('fields', fields)]
  if (aliases > queryLimits.aliases) return [tooLarge('aliases', aliases)]
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, branches, cost } = new Measure(document, operation, variables).sizeOf(
      operation.selectionSet,
    )
    if (branches > queryLimits.lists) return [tooLarge('lists', branches, operation)]
    if (depth > queryLimits.depth) return [tooLarge('depth', depth, operation)]
    if (cost > queryLimits.cost) return [tooLarge('cost', cost, operation)]
  }
  return []
}

/** Counts the lists and values of the largest operation; the work estimate follows from them. */
export function sizeOfQuery(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): { readonly lists: number; readonly values: number } {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const sizes = operations.map((one) => new Measure(document, one, variables).sizeOf(one.selectionSet))
  return {
    lists: Math.max(...sizes.map(({ branches }) => branches)),
    values: Math.max(...sizes.map(({ cost }) => cost)),
  }
}

/** Larger numbers are shown as "more than". */
const MOST_SHOWN = 1_000_000

/** Sentences for a query beyond a limit, with advice. */
const sentences: Readonly<Record<keyof typeof queryLimits, readonly [size: string, help?: string]>> = {
  characters: ['has # characters', '; long values can be variables'],
  tokens: ['has # tokens'],
  fields: ['has # fields'],
  aliases: ['has # aliases'],
  lists: ['asks for # lists'],
  depth: ['is # fields deep'],
  cost: ['asks for # values', '; ask for fewer rows with first, or for fewer fields'],
}

/** Returns the error of a query beyond a limit; `size` is infinite if counting stopped at the limit. */
export function tooLarge(
  what: keyof typeof queryLimits,
  size: number,
  node?: OperationDefinitionNode,
): GraphQLError {
  const limit = queryLimits[what]
  const shown = size <= MOST_SHOWN ? `${size}` : `more than ${Number.isFinite(size) ? MOST_SHOWN : limit}`
  const [has, help = ''] = sentences[what]
  const sentence = `The query ${has.replace('#', shown)}; the limit is ${limit}${help}.`
  return new GraphQLError(sentence, node === undefined ? {} : { nodes: node })
}

function countFields(document: DocumentNode): { fields: number; aliases: number } {
  const counts = { fields: 0, aliases: 0 }
  visit(document, {
    Field({ alias }) {
      counts.fields += 1
      if (alias !== undefined) counts.aliases += 1
    },
  })
  return counts
}

class Measure {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #sizes = new Map<string, Size>()
  readonly #variables: Readonly<Record<string, unknown>>

  constructor(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
    const defaults = operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue?.kind === Kind.INT ? Number(defaultValue.value) : undefined,
    ])
    // An explicit null replaces the default of a variable.
    this.#variables = { ...Object.fromEntries(defaults ?? []), ...variables }
  }

  sizeOf(set: SelectionSetNode): Size {
    return set.selections.reduce((sum: Size, selection): Size => {
      const size =
        selection.kind === Kind.FIELD
          ? this.#field(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.sizeOf(selection.selectionSet)
            : this.#fragment(selection.name.value)
      return {
        depth: Math.max(sum.depth, size.depth),
        branches: sum.branches + size.branches,
        cost: sum.cost + size.cost,
        costPerRow: sum.costPerRow + size.costPerRow,
      }
    }, nothing)
  }

  #field(field: FieldNode): Size {
    const below = field.selectionSet === undefined ? nothing : this.sizeOf(field.selectionSet)
    const depth = below.depth + 1
    const cost = 1 + below.cost + below.costPerRow * this.#rowsOf(field)
    const branches = field.selectionSet === undefined || field.name.value.startsWith('__') ? 0 : 1
    return rowFields.includes(field.name.value)
      ? { depth, branches, cost: 0, costPerRow: cost }
      : { depth, branches, cost, costPerRow: 0 }
  }

  /** A fragment cycle counts once; a later check rejects it. */
  #fragment(name: string): Size {
    const measured = this.#sizes.get(name)
    if (measured !== undefined) return measured
    this.#sizes.set(name, nothing)
    const fragment = this.#fragments.get(name)
    const size = fragment === undefined ? nothing : this.sizeOf(fragment.selectionSet)
    this.#sizes.set(name, size)
    return size
  }

  #rowsOf({ arguments: given = [] }: FieldNode): number {
    const counts = ['first', 'last'].map((name) => {
      const value = given.find((argument) => argument.name.value === name)?.value
      return value?.kind === Kind.VARIABLE
        ? this.#variables[value.name.value]
        : value?.kind === Kind.INT && Number(value.value)
    })
    const rows = counts.find((value) => typeof value === 'number') ?? MOST_NODES
    return Math.min(MOST_NODES, Math.max(0, rows))
  }
}
