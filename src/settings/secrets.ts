/** Variables of the environment that are no settings: no flag and no file has them, and they are never shown. */
export const secrets = ['trino_password', 'sync_key'] as const
