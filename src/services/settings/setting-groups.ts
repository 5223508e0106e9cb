import type { SettingName } from './settings.ts'

/** Headings of long lists of settings, with the names below each. */
const groups: Readonly<Record<string, readonly SettingName[]>> = {
  Lake: [
    'config',
    'lake',
    'lake_endpoint',
    'lake_copy',
    'lake_copy_mb',
    'lake_poll_ms',
    'state',
    'cache_dir',
    'refresh_ms',
  ],
  Address: [
    'host',
    'port',
    'postgres',
    'public_url',
    'trust_proxy',
    'tls_cert',
    'tls_key',
    'cors',
    'network',
    'compat',
  ],
  'Keys, SQL and sharing': ['keys', 'open', 'open_sql', 'share', 'open_share', 'share_link_minutes'],
  'Log and metrics': ['log_level', 'access_log', 'slow_request_ms', 'metrics_listen', 'lock_metrics'],
  Requests: [
    'workers',
    'most_requests',
    'most_wait_ms',
    'request_timeout_ms',
    'most_exports',
    'export_timeout_ms',
    'export_stall_ms',
  ],
  'Memory and disk': [
    'answer_memory_mb',
    'block_memory_mb',
    'file_cache_mb',
    'engine_memory_mb',
    'engine_spill_mb',
    'engine_threads',
    'engine_connections',
    'sql_processes',
    'sql_when_idle',
  ],
  'Ingest and background work': [
    'ingest_memory_mb',
    'ingest_record_mb',
    'ingest_commit_rows',
    'sync',
    'scrub_hours',
    'scrub_mb_per_second',
  ],
  Engine: [
    'engine',
    'trino_server',
    'trino_catalog',
    'trino_schema',
    'trino_user',
    'trino_session',
    'trino_location',
  ],
}

const headings = new Map(
  Object.entries(groups).flatMap(([heading, names]) => names.map((name) => [name, heading] as const)),
)

/** Returns the heading of a setting; undefined if none lists it. */
export function headingOf(name: SettingName): string | undefined {
  return headings.get(name)
}
