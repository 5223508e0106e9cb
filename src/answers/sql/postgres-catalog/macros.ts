import { DATABASE } from './filled-tables.ts'

const SETTING = `CASE lower(n) WHEN 'server_version_num' THEN '150000' WHEN 'server_version' THEN '15.0'
  WHEN 'search_path' THEN '"$user", public' WHEN 'max_index_keys' THEN '32' WHEN 'server_encoding' THEN 'UTF8'
  WHEN 'timezone' THEN 'UTC' WHEN 'transaction_read_only' THEN 'on' END`

/** Arguments as a table of their own: they may name columns that the tables of a function have too. */
const GIVEN = '(SELECT o AS k_) p_'
const NAMED = '(SELECT t AS k_) p_'

const FORMATTED = (modifier: string) =>
  `(SELECT max(CASE WHEN e_.oid IS NOT NULL THEN e_.declared || '[]' WHEN y_.name = 'numeric' AND m_ > 0 THEN 'numeric(' || ((m_ - 4) >> 16) || ',' || ((m_ - 4) & 65535) || ')' ELSE y_.declared END)
    FROM (SELECT o AS k_, ${modifier} AS m_) p_, $.type y_ LEFT JOIN $.type e_ ON e_.oid = y_.element WHERE y_.oid = k_)`

/** A text about the key of a table, from the oid of its index or constraint: that many after the oid of the table. */
const ofKey = (text: string, after: number) =>
  `(SELECT max(${text}) FROM ${GIVEN}, $.relation r_, $.attribute a_ WHERE r_.oid + ${after} = k_ AND a_.relation = r_.oid AND a_.number = r_.key)`
const INDEX = ofKey(
  "'CREATE UNIQUE INDEX ' || r_.name || '_pkey ON public.' || r_.name || ' USING btree (' || a_.name || ')'",
  1,
)
const CONSTRAINT = ofKey("'PRIMARY KEY (' || a_.name || ')'", 2)

/** Functions that clients call, by their parameters. `$` stands for the schema of the catalog. */
const functions: readonly (readonly [signature: string, body: string])[] = [
  ['version()', `'PostgreSQL 15.0 (ledgerlake), read-only'`],
  ['current_database()', `'${DATABASE}'`],
  ['current_catalog()', `'${DATABASE}'`],
  ['current_schema()', `'public'`],
  ['current_schemas(implicit)', `CASE WHEN implicit THEN ['pg_catalog', 'public'] ELSE ['public'] END`],
  ['current_user()', `'${DATABASE}'`],
  ['session_user()', `'${DATABASE}'`],
  ['current_role()', `'${DATABASE}'`],
  ['user()', `'${DATABASE}'`],
  ['pg_backend_pid()', '0'],
  ['pg_is_in_recovery()', 'true'],
  ['pg_my_temp_schema()', '0::UINTEGER'],
  ['pg_is_other_temp_schema(o)', 'false'],
  ['pg_client_encoding()', `'UTF8'`],
  ['pg_encoding_to_char(e)', `'UTF8'`],
  ['pg_char_to_encoding(e)', '6'],
  ['pg_postmaster_start_time()', 'now()'],
  ['pg_conf_load_time()', 'now()'],
  ['pg_export_snapshot()', `'00000003-00000001-1'`],
  ['pg_advisory_unlock_all()', 'NULL::VARCHAR'],
  ['txid_current()', '1::BIGINT'],
  ['inet_server_addr()', 'NULL::VARCHAR'],
  ['inet_server_port()', 'NULL::INTEGER'],
  ['inet_client_addr()', 'NULL::VARCHAR'],
  ['set_config(name, value, is_local)', 'value'],
  ['current_setting(n)', SETTING],
  ['current_setting(n, missing_ok)', SETTING],
  ['pg_get_userbyid(o)', `'${DATABASE}'`],
  ['pg_table_is_visible(o)', 'o IS NOT NULL'],
  ['pg_type_is_visible(o)', 'o IS NOT NULL'],
  ['pg_function_is_visible(o)', 'o IS NOT NULL'],
  ['pg_collation_is_visible(o)', 'o IS NOT NULL'],
  ['pg_relation_is_publishable(o)', 'false'],
  ['pg_index_column_has_property(o, n, p)', "lower(p) IN ('asc', 'nulls_last', 'orderable')"],
  ['pg_has_role(a, b)', 'true'],
  ['pg_has_role(a, b, c)', 'true'],
  ...[
    'table',
    'column',
    'any_column',
    'schema',
    'database',
    'function',
    'sequence',
    'tablespace',
    'language',
    'type',
    'server',
    'foreign_data_wrapper',
  ].flatMap((kind): [string, string][] => {
    const may = (privilege: string) => `upper(${privilege}) IN ('SELECT', 'USAGE', 'CONNECT', 'EXECUTE')`
    return [
      [`has_${kind}_privilege(a, b)`, may('b')],
      [`has_${kind}_privilege(a, b, c)`, may('c')],
      ...(kind === 'column' ? [[`has_column_privilege(a, b, c, d)`, may('d')] as [string, string]] : []),
    ]
  }),
  ['format_type(o, m)', FORMATTED('m')],
  [
    'obj_description(o, c)',
    `(SELECT max(d_.description) FROM ${GIVEN}, $.pg_description d_ WHERE d_.objoid = k_ AND d_.objsubid = 0 AND c = 'pg_class')`,
  ],
  [
    'obj_description(o)',
    `(SELECT max(d_.description) FROM ${GIVEN}, $.pg_description d_ WHERE d_.objoid = k_ AND d_.objsubid = 0)`,
  ],
  [
    'col_description(o, n)',
    `(SELECT max(d_.description) FROM (SELECT o AS k_, n AS n_) p_, $.pg_description d_ WHERE d_.objoid = k_ AND d_.objsubid = n_ AND n_ > 0)`,
  ],
  ['pg_get_indexdef(o)', INDEX],
  ['pg_get_indexdef(o, n, pretty)', INDEX],
  ['pg_get_constraintdef(o)', CONSTRAINT],
  ['pg_get_constraintdef(o, pretty)', CONSTRAINT],
  ['shobj_description(o, c)', 'NULL::VARCHAR'],
  ...['pg_get_expr(a, b)', 'pg_get_expr(a, b, c)'].map(nothing),
  ...['pg_get_viewdef(a)', 'pg_get_viewdef(a, b)'].map(nothing),
  ...[
    'pg_get_partkeydef(a)',
    'pg_get_ruledef(a)',
    'pg_get_ruledef(a, b)',
    'pg_get_triggerdef(a)',
    'pg_get_triggerdef(a, b)',
  ].map(nothing),
  ...[
    'pg_get_functiondef(a)',
    'pg_get_function_result(a)',
    'pg_get_function_arguments(a)',
    'pg_get_function_identity_arguments(a)',
  ].map(nothing),
  ...['pg_get_serial_sequence(a, b)', 'pg_get_statisticsobjdef_columns(a)', 'pg_tablespace_location(a)'].map(
    nothing,
  ),
  ...[
    'pg_table_size(a)',
    'pg_relation_size(a)',
    'pg_relation_size(a, b)',
    'pg_total_relation_size(a)',
    'pg_indexes_size(a)',
    'pg_database_size(a)',
  ].map((signature): [string, string] => [signature, 'NULL::BIGINT']),
  ['pg_size_pretty(n)', 'NULL::VARCHAR'],
  [
    'quote_ident(t)',
    `CASE WHEN regexp_full_match(t, '[a-z_][a-z0-9_$]*') THEN t ELSE '"' || replace(t, '"', '""') || '"' END`,
  ],
  ['quote_literal(t)', `'''' || replace(t::VARCHAR, '''', '''''') || ''''`],
  ['array_upper(l, d)', 'CASE WHEN d = 1 THEN nullif(len(l), 0) END'],
  ['array_lower(l, d)', 'CASE WHEN d = 1 AND len(l) > 0 THEN 1 END'],
  ['array_ndims(l)', 'CASE WHEN len(l) > 0 THEN 1 END'],
  ['regclass_oid(t)', `(SELECT max(r_.oid) FROM ${NAMED}, $.relation r_ WHERE r_.name = $.bare_name(k_))`],
  [
    'regclass_name(o)',
    `coalesce((SELECT max(r_.name) FROM ${GIVEN}, $.relation r_ WHERE r_.oid = k_), CASE o WHEN 0 THEN '-' ELSE o::VARCHAR END)`,
  ],
  [
    'regtype_oid(t)',
    `(SELECT max(y_.oid) FROM ${NAMED}, $.type y_ WHERE $.bare_name(k_) IN (y_.name, y_.declared))`,
  ],
  ['regtype_name(o)', `coalesce(${FORMATTED('-1')}, CASE o WHEN 0 THEN '-' ELSE o::VARCHAR END)`],
  ['regnamespace_oid(t)', `(SELECT max(n_.oid) FROM ${NAMED}, $.pg_namespace n_ WHERE n_.nspname = k_)`],
  ['regnamespace_name(o)', `(SELECT max(n_.nspname) FROM ${GIVEN}, $.pg_namespace n_ WHERE n_.oid = k_)`],
  ['regrole_oid(t)', '10::UINTEGER'],
  ['regrole_name(o)', `'${DATABASE}'`],
  [
    'regproc_oid(t)',
    `CASE t WHEN '-' THEN 0::UINTEGER ELSE (SELECT max(f_.oid) FROM ${NAMED}, $.pg_proc f_ WHERE f_.proname = $.bare_name(k_)) END`,
  ],
  [
    'regproc_name(o)',
    `coalesce((SELECT max(f_.proname) FROM ${GIVEN}, $.pg_proc f_ WHERE f_.oid = k_), CASE o WHEN 0 THEN '-' ELSE o::VARCHAR END)`,
  ],
  // It gives a row for each column of a key; keys have one column here.
  ['_pg_expandarray(l)', "{'x': l[1], 'n': 1}"],
  // With the formats that Superset writes.
  [
    'to_date(t, f)',
    "CASE f WHEN 'YYYY-MM-DD' THEN t::DATE ELSE error('to_date knows the format YYYY-MM-DD') END",
  ],
  [
    'to_timestamp(t, f)',
    "CASE WHEN f IN ('YYYY-MM-DD HH24:MI:SS.US', 'YYYY-MM-DD HH24:MI:SS') THEN t::TIMESTAMP ELSE error('to_timestamp knows the format YYYY-MM-DD HH24:MI:SS.US') END",
  ],
  ['to_regclass(t)', '$.regclass_oid(t)'],
  ['to_regtype(t)', '$.regtype_oid(t)'],
]

function nothing(signature: string): readonly [string, string] {
  return [signature, 'NULL::VARCHAR']
}

/** `"public"."earnings"` -> `earnings`. */
const BARE = `bare_name(t) AS replace(regexp_replace(t, '^"?[a-z_]+"?\\.', ''), '"', '')`

/** Names of the functions, all of them in the schema of the catalog. */
export const macroNames: ReadonlySet<string> = new Set(
  functions.map(([signature]) => signature.split('(')[0] ?? ''),
)

/** Statements that create the functions in a schema; each may call those before it. */
export function macros(schema: string): readonly string[] {
  const byName = new Map<string, string[]>()
  for (const [signature, body] of functions) {
    const at = signature.indexOf('(')
    const name = signature.slice(0, at)
    byName.set(name, [
      ...(byName.get(name) ?? []),
      `${signature.slice(at)} AS ${body.replaceAll('$.', `${schema}.`)}`,
    ])
  }
  const order = ['bare_name', ...byName.keys()]
  return order.map((name) =>
    name === 'bare_name'
      ? `CREATE MACRO ${schema}.${BARE};`
      : `CREATE MACRO ${schema}.${name}${(byName.get(name) ?? []).join(', ')};`,
  )
}
