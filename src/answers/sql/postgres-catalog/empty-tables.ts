/** Types of columns, by the letter that stands for each in `emptyTables`. */
const letters: Readonly<Record<string, string>> = {
  ...{ o: 'UINTEGER', t: 'VARCHAR', b: 'BOOLEAN', i: 'INTEGER', s: 'SMALLINT', l: 'BIGINT', f: 'FLOAT' },
  ...{ O: 'UINTEGER[]', S: 'SMALLINT[]', T: 'VARCHAR[]', z: 'TIMESTAMPTZ' },
}

/** Tables of pg_catalog without rows here, with the columns that clients name. Source: PostgreSQL 15, "System Catalogs". */
const pgCatalog: Readonly<Record<string, string>> = {
  pg_aggregate: 'aggfnoid:o aggkind:t aggnumdirectargs:s',
  pg_attrdef: 'oid:o adrelid:o adnum:s adbin:t',
  pg_cast: 'oid:o castsource:o casttarget:o castfunc:o castcontext:t castmethod:t',
  pg_constraint:
    'oid:o conname:t connamespace:o contype:t condeferrable:b condeferred:b convalidated:b conrelid:o contypid:o conindid:o conparentid:o confrelid:o confupdtype:t confdeltype:t confmatchtype:t conislocal:b coninhcount:i connoinherit:b conkey:S confkey:S conpfeqop:O conppeqop:O conffeqop:O confdelsetcols:S conexclop:O conbin:t',
  pg_db_role_setting: 'setdatabase:o setrole:o setconfig:T',
  pg_default_acl: 'oid:o defaclrole:o defaclnamespace:o defaclobjtype:t defaclacl:T',
  pg_depend: 'classid:o objid:o objsubid:i refclassid:o refobjid:o refobjsubid:i deptype:t',
  pg_enum: 'oid:o enumtypid:o enumsortorder:f enumlabel:t',
  pg_event_trigger: 'oid:o evtname:t evtevent:t evtowner:o evtfoid:o evtenabled:t evttags:T',
  pg_extension:
    'oid:o extname:t extowner:o extnamespace:o extrelocatable:b extversion:t extconfig:O extcondition:T',
  pg_foreign_data_wrapper: 'oid:o fdwname:t fdwowner:o fdwhandler:o fdwvalidator:o fdwacl:T fdwoptions:T',
  pg_foreign_server: 'oid:o srvname:t srvowner:o srvfdw:o srvtype:t srvversion:t srvacl:T srvoptions:T',
  pg_foreign_table: 'ftrelid:o ftserver:o ftoptions:T',
  pg_index:
    'indexrelid:o indrelid:o indnatts:s indnkeyatts:s indisunique:b indnullsnotdistinct:b indisprimary:b indisexclusion:b indimmediate:b indisclustered:b indisvalid:b indcheckxmin:b indisready:b indislive:b indisreplident:b indkey:S indcollation:O indclass:O indoption:S indexprs:t indpred:t',
  pg_indexes: 'schemaname:t tablename:t indexname:t tablespace:t indexdef:t',
  pg_inherits: 'inhrelid:o inhparent:o inhseqno:i inhdetachpending:b',
  pg_language: 'oid:o lanname:t lanowner:o lanispl:b lanpltrusted:b lanplcallfoid:o',
  pg_locks: 'locktype:t database:o relation:o pid:i mode:t granted:b',
  pg_matviews:
    'schemaname:t matviewname:t matviewowner:t tablespace:t hasindexes:b ispopulated:b definition:t',
  pg_opclass:
    'oid:o opcmethod:o opcname:t opcnamespace:o opcowner:o opcfamily:o opcintype:o opcdefault:b opckeytype:o',
  pg_operator: 'oid:o oprname:t oprnamespace:o oprkind:t oprleft:o oprright:o oprresult:o oprcode:o',
  pg_partitioned_table: 'partrelid:o partstrat:t partnatts:s partdefid:o partattrs:S partclass:O partexprs:t',
  pg_policy: 'oid:o polname:t polrelid:o polcmd:t polpermissive:b polroles:O polqual:t polwithcheck:t',
  pg_proc:
    'oid:o proname:t pronamespace:o proowner:o prolang:o procost:f prorows:f provariadic:o prokind:t prosecdef:b proleakproof:b proisstrict:b proretset:b provolatile:t proparallel:t pronargs:s pronargdefaults:s prorettype:o proargtypes:O proallargtypes:O proargmodes:T proargnames:T prosrc:t probin:t proacl:T',
  pg_publication:
    'oid:o pubname:t pubowner:o puballtables:b pubinsert:b pubupdate:b pubdelete:b pubtruncate:b pubviaroot:b',
  pg_publication_namespace: 'oid:o pnpubid:o pnnspid:o',
  pg_publication_rel: 'oid:o prpubid:o prrelid:o prqual:t prattrs:S',
  pg_range: 'rngtypid:o rngsubtype:o rngmultitypid:o rngcollation:o rngsubopc:o',
  pg_rewrite: 'oid:o rulename:t ev_class:o ev_type:t ev_enabled:t is_instead:b',
  pg_rules: 'schemaname:t tablename:t rulename:t definition:t',
  pg_seclabel: 'objoid:o classoid:o objsubid:i provider:t label:t',
  pg_sequence: 'seqrelid:o seqtypid:o seqstart:l seqincrement:l seqmax:l seqmin:l seqcache:l seqcycle:b',
  pg_sequences: 'schemaname:t sequencename:t sequenceowner:t data_type:t',
  pg_shdescription: 'objoid:o classoid:o description:t',
  pg_stat_activity: 'datid:o datname:t pid:i usename:t application_name:t state:t query:t',
  pg_stat_ssl: 'pid:i ssl:b version:t cipher:t bits:i',
  pg_stat_user_tables: 'relid:o schemaname:t relname:t seq_scan:l n_live_tup:l',
  pg_stat_wal_receiver: 'pid:i status:t',
  pg_statistic_ext:
    'oid:o stxrelid:o stxname:t stxnamespace:o stxowner:o stxstattarget:i stxkeys:S stxkind:T stxexprs:t',
  pg_trigger:
    'oid:o tgrelid:o tgparentid:o tgname:t tgfoid:o tgtype:s tgenabled:t tgisinternal:b tgconstrrelid:o tgconstrindid:o tgconstraint:o tgdeferrable:b tginitdeferred:b tgnargs:s tgattr:S tgqual:t',
  pg_user_mappings: 'umid:o srvid:o srvname:t umuser:o usename:t umoptions:T',
}

/** The same for information_schema. */
const informationSchema: Readonly<Record<string, string>> = {
  check_constraints: 'constraint_catalog:t constraint_schema:t constraint_name:t check_clause:t',
  column_privileges:
    'grantor:t grantee:t table_catalog:t table_schema:t table_name:t column_name:t privilege_type:t is_grantable:t',
  constraint_column_usage:
    'table_catalog:t table_schema:t table_name:t column_name:t constraint_catalog:t constraint_schema:t constraint_name:t',
  domains: 'domain_catalog:t domain_schema:t domain_name:t data_type:t',
  key_column_usage:
    'constraint_catalog:t constraint_schema:t constraint_name:t table_catalog:t table_schema:t table_name:t column_name:t ordinal_position:i position_in_unique_constraint:i',
  parameters:
    'specific_catalog:t specific_schema:t specific_name:t ordinal_position:i parameter_mode:t parameter_name:t data_type:t',
  referential_constraints:
    'constraint_catalog:t constraint_schema:t constraint_name:t unique_constraint_catalog:t unique_constraint_schema:t unique_constraint_name:t match_option:t update_rule:t delete_rule:t',
  routines:
    'specific_catalog:t specific_schema:t specific_name:t routine_catalog:t routine_schema:t routine_name:t routine_type:t data_type:t routine_definition:t',
  sequences: 'sequence_catalog:t sequence_schema:t sequence_name:t data_type:t',
  table_constraints:
    'constraint_catalog:t constraint_schema:t constraint_name:t table_catalog:t table_schema:t table_name:t constraint_type:t is_deferrable:t initially_deferred:t enforced:t',
  triggers:
    'trigger_catalog:t trigger_schema:t trigger_name:t event_manipulation:t event_object_schema:t event_object_table:t',
}

const create = (schema: string, tables: Readonly<Record<string, string>>) =>
  Object.entries(tables).map(([table, columns]) => {
    const declared = columns.split(' ').map((column) => {
      const [name = '', letter = ''] = column.split(':')
      return `${name} ${letters[letter]}`
    })
    return `CREATE TABLE ${schema}.${table} (${declared.join(', ')});`
  })

/** Statements that create the tables without rows in the schemas of `PG` and `INFORMATION`. */
export function emptyTables(pg: string, information: string): readonly string[] {
  return [...create(pg, pgCatalog), ...create(information, informationSchema)]
}
