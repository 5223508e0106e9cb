import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Postgres } from '../support/postgres.ts'
import { type Serving, startServing } from '../support/program.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const server = fileURLToPath(new URL('pg-server.mjs', import.meta.url))

/** Starts the HTTP server before a PostgreSQL that has its tables; installs its client first. */
export async function startPgServer({ host, user }: Postgres): Promise<Serving> {
  installPeers('--omit=dev', '--omit=optional')
  return await startServing([server, host, user])
}

/** Installs the packages of this folder; those for development and the optional one are PostGraphile's. */
export function installPeers(...flags: readonly string[]): void {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...flags], { cwd: here, stdio: 'ignore' })
}
