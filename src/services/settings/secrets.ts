/** Environment variables that are no settings: they have no flag, are in no file, and are never shown. */
export const secrets = ['trino_password', 'sync_key'] as const
