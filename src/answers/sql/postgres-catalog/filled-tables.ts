/** Name of the database, its owner and role. */
export const DATABASE = 'ledgerlake'

/**
 * Statements that fill the catalog from the tables `relation` and `attribute` and `type` of the schema `pg`. A name in
 * PostgreSQL has the oid of its bootstrap data. Source: PostgreSQL 15, "System Catalogs", "The Information Schema".
 */
export function filledTables(pg: string, information: string): readonly string[] {
  const create = (schema: string, name: string, select: string) =>
    `CREATE TABLE ${schema}.${name} AS ${select};`
  const none = (names: string, type: string) =>
    names
      .split(' ')
      .map((name) => `NULL::${type} AS ${name}`)
      .join(', ')
  const zero = (names: string) =>
    names
      .split(' ')
      .map((name) => `0::UINTEGER AS ${name}`)
      .join(', ')
  const no = (names: string) =>
    names
      .split(' ')
      .map((name) => `false AS ${name}`)
      .join(', ')
  const catalog = (...names: string[]) => names.map((name) => `'${DATABASE}' AS ${name}`).join(', ')
  return [
    create(
      pg,
      'pg_namespace',
      `SELECT oid::UINTEGER AS oid, nspname, 10::UINTEGER AS nspowner, NULL::VARCHAR[] AS nspacl, 2615::UINTEGER AS tableoid
      FROM (VALUES (11, 'pg_catalog'), (2200, 'public'), (13000, 'information_schema')) t(oid, nspname)`,
    ),
    create(
      pg,
      'pg_class',
      `SELECT oid, name AS relname, namespace AS relnamespace, ${zero('reltype reloftype')}, 10::UINTEGER AS relowner,
      ${zero('relam relfilenode reltablespace')}, 0::INTEGER AS relpages, (-1)::FLOAT AS reltuples, 0::INTEGER AS relallvisible,
      ${zero('reltoastrelid')}, key > 0 AS relhasindex, ${no('relisshared')}, 'p' AS relpersistence, kind AS relkind, columns::SMALLINT AS relnatts,
      0::SMALLINT AS relchecks, ${no('relhasrules relhastriggers relhassubclass relrowsecurity relforcerowsecurity relhasoids')},
      true AS relispopulated, 'n' AS relreplident, false AS relispartition, ${zero('relrewrite')},
      ${none('relfrozenxid relminmxid', 'BIGINT')}, ${none('relacl reloptions', 'VARCHAR[]')}, ${none('relpartbound', 'VARCHAR')}, 1259::UINTEGER AS tableoid
      FROM ${pg}.relation`,
    ),
    create(
      pg,
      'pg_attribute',
      `SELECT relation AS attrelid, name AS attname, type AS atttypid, -1 AS attstattarget, size AS attlen,
      number AS attnum, dimensions AS attndims, -1 AS attcacheoff, modifier AS atttypmod, size > 0 AS attbyval,
      'i' AS attalign, 'p' AS attstorage, '' AS attcompression, ${no('attnotnull atthasdef atthasmissing')}, '' AS attidentity, '' AS attgenerated,
      ${no('attisdropped')}, true AS attislocal, 0::INTEGER AS attinhcount, ${zero('attcollation')},
      ${none('attacl attoptions attfdwoptions', 'VARCHAR[]')}, ${none('attmissingval', 'VARCHAR')} FROM ${pg}.attribute`,
    ),
    create(
      pg,
      'pg_type',
      `SELECT oid, name AS typname, 11::UINTEGER AS typnamespace, 10::UINTEGER AS typowner, size AS typlen,
      size > 0 AS typbyval, 'b' AS typtype, category AS typcategory, false AS typispreferred, true AS typisdefined, ',' AS typdelim,
      ${zero('typrelid')}, ${zero('typsubscript')}, element AS typelem, array_type AS typarray, replace(receive, 'recv', 'in') AS typinput, replace(receive, 'recv', 'out') AS typoutput,
      receive AS typreceive, replace(receive, 'recv', 'send') AS typsend, '-' AS typmodin, '-' AS typmodout, '-' AS typanalyze, 'i' AS typalign,
      'p' AS typstorage, false AS typnotnull, ${zero('typbasetype')}, -1 AS typtypmod, 0::INTEGER AS typndims, ${zero('typcollation')},
      ${none('typdefaultbin typdefault', 'VARCHAR')}, NULL::VARCHAR[] AS typacl, declared, 1247::UINTEGER AS tableoid FROM ${pg}.type`,
    ),
    create(
      pg,
      'pg_description',
      `SELECT oid AS objoid, 1259::UINTEGER AS classoid, 0::INTEGER AS objsubid, comment AS description FROM ${pg}.relation
      WHERE comment IS NOT NULL UNION ALL
      SELECT relation, 1259::UINTEGER, number::INTEGER, comment FROM ${pg}.attribute WHERE comment IS NOT NULL`,
    ),
    create(
      pg,
      'pg_database',
      `SELECT 16383::UINTEGER AS oid, '${DATABASE}' AS datname, 10::UINTEGER AS datdba, 6::INTEGER AS encoding, 'c' AS datlocprovider,
      false AS datistemplate, true AS datallowconn, -1 AS datconnlimit, 1663::UINTEGER AS dattablespace, 'C' AS datcollate, 'C' AS datctype,
      ${none('daticulocale datcollversion', 'VARCHAR')}, NULL::VARCHAR[] AS datacl`,
    ),
    create(
      pg,
      'pg_roles',
      `SELECT 10::UINTEGER AS oid, '${DATABASE}' AS rolname, ${no('rolsuper rolcreaterole rolcreatedb rolreplication rolbypassrls')}, ${['rolinherit', 'rolcanlogin'].map((name) => `true AS ${name}`).join(', ')},
      -1 AS rolconnlimit, '********' AS rolpassword, NULL::TIMESTAMPTZ AS rolvaliduntil, NULL::VARCHAR[] AS rolconfig`,
    ),
    create(pg, 'pg_authid', `SELECT * FROM ${pg}.pg_roles`),
    create(
      pg,
      'pg_user',
      `SELECT rolname AS usename, oid AS usesysid, ${no('usecreatedb usesuper userepl usebypassrls')}, '********' AS passwd FROM ${pg}.pg_roles`,
    ),
    create(
      pg,
      'pg_auth_members',
      `SELECT oid AS roleid, oid AS member, oid AS grantor, false AS admin_option FROM ${pg}.pg_roles WHERE false`,
    ),
    create(
      pg,
      'pg_tablespace',
      `SELECT 1663::UINTEGER AS oid, 'pg_default' AS spcname, 10::UINTEGER AS spcowner, NULL::VARCHAR[] AS spcacl, NULL::VARCHAR[] AS spcoptions`,
    ),
    create(
      pg,
      'pg_am',
      `SELECT 2::UINTEGER AS oid, 'heap' AS amname, 'heap_tableam_handler' AS amhandler, 't' AS amtype`,
    ),
    create(
      pg,
      'pg_collation',
      `SELECT oid::UINTEGER AS oid, collname, 11::UINTEGER AS collnamespace, 10::UINTEGER AS collowner, 'c' AS collprovider,
      true AS collisdeterministic, -1 AS collencoding, collname AS collcollate, collname AS collctype
      FROM (VALUES (100, 'default'), (950, 'C')) t(oid, collname)`,
    ),
    create(
      pg,
      'pg_tables',
      `SELECT 'public' AS schemaname, name AS tablename, '${DATABASE}' AS tableowner, ${none('tablespace', 'VARCHAR')},
      ${no('hasindexes hasrules hastriggers rowsecurity')} FROM ${pg}.relation WHERE kind = 'r' AND namespace = 2200`,
    ),
    create(
      pg,
      'pg_views',
      `SELECT 'public' AS schemaname, name AS viewname, '${DATABASE}' AS viewowner, ${none('definition', 'VARCHAR')}
      FROM ${pg}.relation WHERE kind = 'v' AND namespace = 2200`,
    ),
    create(
      pg,
      'pg_settings',
      `SELECT name, setting, NULL::VARCHAR AS unit, '' AS category, '' AS short_desc, 'internal' AS context, 'string' AS vartype, 'default' AS source,
      setting AS boot_val, setting AS reset_val, NULL::VARCHAR[] AS enumvals FROM (VALUES ('server_version', '15.0'), ('server_version_num', '150000'), ('server_encoding', 'UTF8'), ('client_encoding', 'UTF8'),
      ('standard_conforming_strings', 'on'), ('max_index_keys', '32'), ('max_identifier_length', '63'), ('default_transaction_read_only', 'on'), ('TimeZone', 'UTC')) t(name, setting)`,
    ),
    create(
      information,
      'schemata',
      `SELECT ${catalog('catalog_name')}, nspname AS schema_name, ${catalog('schema_owner')}, ${none('default_character_set_catalog default_character_set_schema default_character_set_name sql_path', 'VARCHAR')} FROM ${pg}.pg_namespace`,
    ),
    create(
      information,
      'tables',
      `SELECT ${catalog('table_catalog')}, 'public' AS table_schema, name AS table_name,
      CASE kind WHEN 'r' THEN 'BASE TABLE' ELSE 'VIEW' END AS table_type, ${none('self_referencing_column_name reference_generation user_defined_type_catalog user_defined_type_schema user_defined_type_name', 'VARCHAR')},
      'NO' AS is_insertable_into, 'NO' AS is_typed, ${none('commit_action', 'VARCHAR')} FROM ${pg}.relation WHERE namespace = 2200 AND kind <> 'i'`,
    ),
    create(
      information,
      'views',
      `SELECT ${catalog('table_catalog')}, 'public' AS table_schema, name AS table_name, ${none('view_definition', 'VARCHAR')}, 'NONE' AS check_option,
      ${['is_updatable', 'is_insertable_into', 'is_trigger_updatable', 'is_trigger_deletable', 'is_trigger_insertable_into'].map((name) => `'NO' AS ${name}`).join(', ')} FROM ${pg}.relation WHERE kind = 'v' AND namespace = 2200`,
    ),
    create(
      information,
      'columns',
      `SELECT ${catalog('table_catalog')}, 'public' AS table_schema, r.name AS table_name, a.name AS column_name, a.number::INTEGER AS ordinal_position,
      ${none('column_default', 'VARCHAR')}, 'YES' AS is_nullable, CASE WHEN t.element > 0 THEN 'ARRAY' ELSE t.declared END AS data_type,
      ${none('character_maximum_length character_octet_length', 'INTEGER')},
      CASE WHEN t.name = 'numeric' THEN CASE WHEN a.modifier > 0 THEN (a.modifier - 4) >> 16 END WHEN t.name LIKE 'int_' THEN 8 * t.size WHEN t.name = 'float4' THEN 24 WHEN t.name = 'float8' THEN 53 END::INTEGER AS numeric_precision,
      CASE WHEN t.name = 'numeric' THEN 10 WHEN t.name LIKE 'int_' OR t.name LIKE 'float_' THEN 2 END::INTEGER AS numeric_precision_radix,
      CASE WHEN t.name = 'numeric' THEN CASE WHEN a.modifier > 0 THEN (a.modifier - 4) & 65535 END WHEN t.name LIKE 'int_' THEN 0 END::INTEGER AS numeric_scale,
      CASE WHEN t.name LIKE 'time%' OR t.name = 'interval' THEN 6 WHEN t.name = 'date' THEN 0 END::INTEGER AS datetime_precision,
      ${none('interval_type', 'VARCHAR')}, ${none('interval_precision', 'INTEGER')},
      ${none('character_set_catalog character_set_schema character_set_name collation_catalog collation_schema collation_name domain_catalog domain_schema domain_name', 'VARCHAR')},
      ${catalog('udt_catalog')}, 'pg_catalog' AS udt_schema, t.name AS udt_name, ${none('scope_catalog scope_schema scope_name', 'VARCHAR')}, ${none('maximum_cardinality', 'INTEGER')},
      a.number::VARCHAR AS dtd_identifier, 'NO' AS is_self_referencing, 'NO' AS is_identity, ${none('identity_generation identity_start identity_increment identity_maximum identity_minimum', 'VARCHAR')},
      'NO' AS identity_cycle, 'NEVER' AS is_generated, ${none('generation_expression', 'VARCHAR')}, 'NO' AS is_updatable
      FROM ${pg}.attribute a JOIN ${pg}.relation r ON r.oid = a.relation JOIN ${pg}.type t ON t.oid = a.type`,
    ),
    create(
      information,
      'table_privileges',
      `SELECT ${catalog('grantor', 'grantee', 'table_catalog')}, 'public' AS table_schema, name AS table_name, 'SELECT' AS privilege_type, 'NO' AS is_grantable, 'YES' AS with_hierarchy
      FROM ${pg}.relation WHERE namespace = 2200 AND kind <> 'i'`,
    ),
    create(information, 'role_table_grants', `SELECT * FROM ${information}.table_privileges`),
    create(information, 'enabled_roles', `SELECT ${catalog('role_name')}`),
    create(
      information,
      'applicable_roles',
      `SELECT ${catalog('grantee', 'role_name')}, 'NO' AS is_grantable`,
    ),
    create(
      information,
      'character_sets',
      `SELECT ${none('character_set_catalog character_set_schema', 'VARCHAR')}, 'UTF8' AS character_set_name, 'UCS' AS character_repertoire, 'UTF8' AS form_of_use,
      ${catalog('default_collate_catalog')}, 'pg_catalog' AS default_collate_schema, 'C' AS default_collate_name`,
    ),
  ]
}
