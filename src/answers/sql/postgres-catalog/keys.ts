import { DATABASE } from './filled-tables.ts'

/** Statements that add the keys of tables with one row for each key, and the functions that read and write types. */
export function keyRows(pg: string, information: string): readonly string[] {
  const keyed = `${pg}.relation r JOIN ${pg}.attribute a ON a.relation = r.oid AND a.number = r.key WHERE r.key > 0`
  const named = `'${DATABASE}' AS constraint_catalog, 'public' AS constraint_schema, r.name || '_pkey' AS constraint_name,
    '${DATABASE}' AS table_catalog, 'public' AS table_schema, r.name AS table_name`
  return [
    `INSERT INTO ${pg}.relation SELECT oid + 1, name || '_pkey', 2200, 'i', 1, NULL, 0 FROM ${pg}.relation WHERE key > 0;`,
    `INSERT INTO ${pg}.pg_attribute BY NAME SELECT c.* REPLACE (r.oid + 1 AS attrelid, 1 AS attnum) FROM ${pg}.pg_attribute c JOIN ${pg}.relation r ON c.attrelid = r.oid AND c.attnum = r.key;`,
    `INSERT INTO ${pg}.pg_constraint BY NAME SELECT r.oid + 2 AS oid, r.name || '_pkey' AS conname, 2200 AS connamespace, 'p' AS contype,
      false AS condeferrable, false AS condeferred, true AS convalidated, r.oid AS conrelid, 0 AS contypid, r.oid + 1 AS conindid, 0 AS conparentid, 0 AS confrelid,
      true AS conislocal, 0 AS coninhcount, true AS connoinherit, [r.key] AS conkey FROM ${keyed};`,
    `INSERT INTO ${pg}.pg_index BY NAME SELECT r.oid + 1 AS indexrelid, r.oid AS indrelid, 1 AS indnatts, 1 AS indnkeyatts, true AS indisunique,
      true AS indisprimary, true AS indimmediate, false AS indisclustered, true AS indisvalid, true AS indisready, true AS indislive, [r.key] AS indkey, [0] AS indoption FROM ${keyed};`,
    `INSERT INTO ${information}.table_constraints BY NAME SELECT ${named}, 'PRIMARY KEY' AS constraint_type, 'NO' AS is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced FROM ${keyed};`,
    `INSERT INTO ${pg}.pg_proc BY NAME SELECT 10000 + row_number() OVER (ORDER BY proname) AS oid, proname, 11 AS pronamespace, 10 AS proowner, 'f' AS prokind, false AS proretset
      FROM (SELECT DISTINCT replace(t.receive, 'recv', e.suffix) AS proname FROM ${pg}.type t, (VALUES ('in'), ('out'), ('recv'), ('send')) e(suffix));`,
    ...['key_column_usage', 'constraint_column_usage'].map(
      (table) =>
        `INSERT INTO ${information}.${table} BY NAME SELECT ${named}, a.name AS column_name${table === 'key_column_usage' ? ', 1 AS ordinal_position' : ''} FROM ${keyed};`,
    ),
  ]
}
