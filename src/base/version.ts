import manifest from '../../package.json' with { type: 'json' }

/** Set by scripts/bundle.mjs; undefined when running from source. */
declare const LEDGERLAKE_COMMIT: string | undefined

/** Version of the program, as its package says. */
export const version: string = manifest.version

/** Version of DuckDB inside, such as 1.5.6. */
export const duckdbVersion: string = manifest.dependencies['@duckdb/node-bindings'].replace(/-.*/, '')

/** Full id of the commit that was built, with `-changed` where files differed from it; `unknown` without a repository. */
export const commit: string = (typeof LEDGERLAKE_COMMIT === 'string' && LEDGERLAKE_COMMIT) || 'unknown'
