import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** A PostgreSQL of the caller's own: a folder, a socket in it, and no port that others could reach. */
export interface Postgres {
  readonly version: string
  /** Where its socket lies, which is what clients call the host. */
  readonly host: string
  readonly user: string
  /** A folder whose files COPY can read. */
  readonly exchange: string
  /** Runs SQL and gives what it selects, a line for each row. Errors: Error with what psql says. */
  run(sql: string): string
  stop(): void
}

interface Account {
  readonly uid?: number
  readonly gid?: number
}

const USER = 'bench'
/** Where Debian puts the programs of each version; PATH leads to the client alone. */
const DEBIAN = '/usr/lib/postgresql'
const MOST_OUTPUT_BYTES = 2 ** 30

/**
 * Starts PostgreSQL in a temporary folder that goes with it when this process ends; as `postgres` or `nobody` when this
 * process is root's, since it refuses root. Undefined where it is not installed.
 */
export function startPostgres(): Postgres | undefined {
  const programs = programsFolder()
  if (programs === undefined) return undefined
  const account: Account = process.getuid?.() === 0 ? unprivileged() : {}
  let isRunning = false
  const control = (...args: string[]) =>
    spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-w', '-s', ...args], { ...account, stdio: 'ignore' })
  const stop = () => {
    if (isRunning) control('-m', 'immediate', 'stop')
    isRunning = false
  }
  // Before the folder is made, and so before it goes.
  process.once('exit', stop)
  const host = temporaryFolder()
  const data = join(host, 'data')
  const exchange = join(host, 'exchange')
  mkdirSync(exchange)
  for (const folder of [host, exchange]) {
    if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
    chmodSync(folder, 0o755)
  }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', USER, '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync'],
    { ...account, stdio: ['ignore', 'ignore', 'pipe'], cwd: host },
  )
  isRunning = control('-l', join(host, 'log'), '-o', optionsOf(host), 'start').status === 0
  if (!isRunning) throw new Error(`PostgreSQL does not start: ${readFileSync(join(host, 'log'), 'utf8')}`)

  const run = (sql: string) =>
    execFileSync(
      join(programs, 'psql'),
      ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', host, '-U', USER, '-d', 'postgres', '-f', '-'],
      { input: sql, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: MOST_OUTPUT_BYTES },
    )
  return { version: run('SHOW server_version').trim(), host, user: USER, exchange, run, stop }
}

/** Loading need not survive a crash; memory as a careful owner would set it; the rest as it comes. */
function optionsOf(host: string): string {
  const bufferMb = Math.min(2048, Math.floor(totalmem() / 2 ** 20 / 4))
  const settings = {
    listen_addresses: "''",
    unix_socket_directories: host,
    shared_buffers: `${bufferMb}MB`,
    work_mem: '64MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '16GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    fsync: 'off',
    autovacuum: 'off',
    timezone: 'UTC',
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

function programsFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) =>
    ['initdb', 'pg_ctl', 'psql'].every((name) => existsSync(join(folder, name))),
  )
}

function unprivileged(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter(([own]) => own === name))[0]
  if (account === undefined) throw new Error('there is neither a user postgres nor a user nobody')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}
