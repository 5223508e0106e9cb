import { createHash } from 'node:crypto'
import { resources } from '../../../catalog/resources.ts'
import { pgTypeOf, pgTypes } from './pg-types.ts'

/** A view of the session, with its columns in order. */
export interface SessionView {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    readonly comment: string | null
  }[]
}

/** Oids of PostgreSQL's own tables that clients name. Source: PostgreSQL, the headers of its catalogs. */
const systemTables = {
  ...{ pg_type: 1247, pg_attribute: 1249, pg_proc: 1255, pg_class: 1259, pg_authid: 1260, pg_database: 1262 },
  ...{ pg_attrdef: 2604, pg_constraint: 2606, pg_description: 2609, pg_index: 2610, pg_namespace: 2615 },
  ...{ pg_rewrite: 2618, pg_trigger: 2620, pg_depend: 2608, pg_extension: 3079, pg_roles: 12_000 },
}

const FIRST_OID = 16_384
const OIDS = 2 ** 30

/** The oid of a table: the same in every snapshot and release, as clients may keep it. */
export function oidOfTable(name: string): number {
  return FIRST_OID + (createHash('sha256').update(name).digest().readUInt32BE() % OIDS)
}

/** Tables of the lake are tables, even though DuckDB has views of them; the joined ones are views. */
const isTable = (name: string) => resources.some((resource) => resource.name === name)

/** The rows of which the catalog is made, as JSON. */
export function catalogRows(views: readonly SessionView[]) {
  const relations = views.map(({ name, comment, columns }) => {
    const resource = resources.find((one) => one.name === name)
    const key =
      resource?.holds === 'state' ? columns.findIndex((column) => column.name === resource.key) + 1 : 0
    return {
      oid: oidOfTable(name),
      name,
      namespace: 2200,
      kind: isTable(name) ? 'r' : 'v',
      columns: columns.length,
      comment,
      key,
    }
  })
  const system = Object.entries(systemTables).map(([name, oid]) => ({
    ...{ oid, name, namespace: 11, kind: 'r', columns: 0, comment: null, key: 0 },
  }))
  const attributes = views.flatMap((view) =>
    view.columns.map(({ name, type, comment }, index) => {
      const { oid, size, modifier, isArray } = pgTypeOf(type)
      return {
        relation: oidOfTable(view.name),
        number: index + 1,
        name,
        comment,
        type: oid,
        size,
        modifier,
        dimensions: isArray ? 1 : 0,
      }
    }),
  )
  const types = Object.values(pgTypes).flatMap(({ name, oid, size, array, declared, category, receive }) => [
    { oid, name, size, element: 0, array_type: array, declared, category, receive },
    {
      oid: array,
      name: `_${name}`,
      size: -1,
      element: oid,
      array_type: 0,
      declared: `${declared}[]`,
      category: 'A',
      receive: 'array_recv',
    },
  ])
  return { relation: [...relations, ...system], attribute: attributes, type: types }
}

/** Types of the columns of these rows, for DuckDB. */
export const rowTypes = {
  relation: {
    oid: 'UINTEGER',
    name: 'VARCHAR',
    namespace: 'UINTEGER',
    kind: 'VARCHAR',
    columns: 'SMALLINT',
    comment: 'VARCHAR',
    key: 'SMALLINT',
  },
  attribute: {
    relation: 'UINTEGER',
    number: 'SMALLINT',
    name: 'VARCHAR',
    comment: 'VARCHAR',
    type: 'UINTEGER',
    size: 'SMALLINT',
    modifier: 'INTEGER',
    dimensions: 'SMALLINT',
  },
  type: {
    oid: 'UINTEGER',
    name: 'VARCHAR',
    size: 'SMALLINT',
    element: 'UINTEGER',
    array_type: 'UINTEGER',
    declared: 'VARCHAR',
    category: 'VARCHAR',
    receive: 'VARCHAR',
  },
}
