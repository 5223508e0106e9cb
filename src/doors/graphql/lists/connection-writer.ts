import { type FieldNode, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import type { Entry } from '../../../answers/records/entry.ts'
import type { Connection } from '../../../answers/rows/connection.ts'
import { nodeWriter, writeRows } from '../rows/row-writer.ts'
import { selectionWriter, type Write } from '../rows/selection-writer.ts'

/** A list that was read without I/O. */
export type WholeConnection = Connection<boolean>

/** Returns the writer of a list with the selected fields; undefined unless all of them are plain. */
export function connectionWriter(
  node: FieldNode,
  type: GraphQLObjectType,
): Write<WholeConnection> | undefined {
  return selectionWriter<WholeConnection>(node.selectionSet, type, (selected) => {
    const below = objectBelow(type, selected)
    if (below === undefined) return undefined
    const name = selected.name.value
    if (name === 'pageInfo') return pageInfoWriter(selected, below)
    const write = name === 'nodes' ? nodeWriter(selected, below) : edgeWriter(selected, below)
    return write && (({ nodes }) => writeRows(nodes, write))
  })
}

function edgeWriter(edges: FieldNode, type: GraphQLObjectType): Write<Entry> | undefined {
  return selectionWriter<Entry>(edges.selectionSet, type, (selected) => {
    if (selected.name.value === 'cursor' && selected.selectionSet === undefined) return writeCursor
    const row = objectBelow(type, selected)
    return row && nodeWriter(selected, row)
  })
}

function pageInfoWriter(pageInfo: FieldNode, type: GraphQLObjectType): Write<WholeConnection> | undefined {
  return selectionWriter<WholeConnection>(pageInfo.selectionSet, type, ({ name, selectionSet }) =>
    selectionSet === undefined ? pageInfoWriters.get(name.value) : undefined,
  )
}

// A cursor has no character that JSON escapes.
const writeCursor = (entry: Entry | undefined) => (entry === undefined ? 'null' : `"${entry.cursor}"`)

const pageInfoWriters: ReadonlyMap<string, Write<WholeConnection>> = new Map<string, Write<WholeConnection>>([
  ['hasNextPage', (connection) => String(connection.hasNextPage())],
  ['hasPreviousPage', (connection) => String(connection.hasPreviousPage())],
  ['startCursor', ({ nodes }) => writeCursor(nodes[0])],
  ['endCursor', ({ nodes }) => writeCursor(nodes.at(-1))],
])

/** Returns the object type of a field that has a selection. */
function objectBelow(parent: GraphQLObjectType, { name, selectionSet }: FieldNode) {
  const field = parent.getFields()[name.value]
  const type = field && getNamedType(field.type)
  return selectionSet !== undefined && isObjectType(type) ? type : undefined
}
