import { build } from 'esbuild'

/** One CommonJS file with everything but the engine's native binding, so that starting reads few files. */
await build({
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/ledgerlake.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  mainFields: ['main', 'module'],
  external: ['@duckdb/node-api'],
  logLevel: 'warning',
})
