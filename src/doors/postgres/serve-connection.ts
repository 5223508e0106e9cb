import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { ApiKey } from '../../keys/api-key.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { clientName } from '../gate/client.ts'
import type { Gate } from '../gate/gate.ts'
import type { Connections } from './connections.ts'
import { logIn, whyNoSql } from './login/log-in.ts'
import { readStartup, type Startup } from './login/startup.ts'
import { toPostgresError } from './session/postgres-errors.ts'
import { runSession } from './session/session.ts'
import { type OpenStatements, SqlAccess, type SqlAccessOptions } from './session/sql-access.ts'
import { SessionState } from './session/state.ts'
import { SessionSettings } from './statements/settings.ts'
import { PostgresError, refuse } from './wire/postgres-error.ts'
import { reply } from './wire/replies.ts'
import { SocketChannel } from './wire/socket-channel.ts'

/** A statement that was answered. */
interface AnsweredStatement {
  readonly id: string
  readonly key: ApiKey | null
  readonly from: string
  readonly ms: number
  /** Status that REST would have sent. */
  readonly status: number
  readonly bytes: number
  readonly snapshot: string | undefined
}

export interface PostgresDoor {
  readonly keys: KeyRing
  readonly gate: Pick<Gate, 'inTurnOf' | 'countOf'>
  readonly open: OpenStatements
  readonly snapshots: SqlAccessOptions['snapshots']
  readonly requestTimeoutMs: number
  readonly connections: Connections
  /** The current certificate; undefined without encryption. */
  readonly secureContext: () => SecureContext | undefined
  /** Passes a cancel request to other processes. */
  readonly cancelElsewhere: (key: { readonly id: number; readonly secret: number }) => void
  readonly onAnswer: (answered: AnsweredStatement) => void
  readonly log: (error: unknown) => void
}

/** A client that does not log in within this time is disconnected. */
const LOGIN_MS = 10_000
const KEEP_ALIVE_MS = 60_000

/** Serves one connection to its end. Never throws. */
export async function serveConnection(socket: Socket, door: PostgresDoor): Promise<void> {
  const { connections, requestTimeoutMs, log } = door
  let channel = new SocketChannel(socket, requestTimeoutMs)
  const isFree = connections.add(socket)
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
  const timer = setTimeout(() => socket.destroy(), LOGIN_MS)
  try {
    const startup = await readStartup(channel, door.secureContext(), requestTimeoutMs)
    if (startup?.kind === 'cancel' && !connections.cancel(startup)) door.cancelElsewhere(startup)
    if (startup?.kind !== 'session') return channel.close()
    channel = startup.channel
    if (!isFree)
      refuse('53300', `There are ${connections.most} connections already; close some of them.`, {
        isFatal: true,
      })
    await serveSession(startup, door, () => clearTimeout(timer))
    channel.close()
  } catch (error) {
    const { message, sqlstate, details } = toPostgresError(error, log)
    channel.close(reply.error(new PostgresError(sqlstate, message, { ...details, isFatal: true })))
  } finally {
    clearTimeout(timer)
  }
}

async function serveSession(
  { channel, options }: Extract<Startup, { kind: 'session' }>,
  door: PostgresDoor,
  onLogin: () => void,
): Promise<void> {
  const { keys, gate, connections, log } = door
  channel.frames.begin()
  const user = options.get('user') ?? ''
  const key = await logIn(channel, user, keys, channel.socket instanceof TLSSocket)
  const from = channel.socket.remoteAddress ?? ''
  onLogin()
  channel.frames.trust()
  const client = clientName(key, from)
  const settings = settingsOf(user, options)
  const access = new SqlAccess({
    open: (at, signal) => door.open(at, signal, client),
    snapshots: door.snapshots,
    inTurn: (work, signal, job) => gate.inTurnOf(client, work, signal, job),
  })
  const state: SessionState = new SessionState({
    ...{ channel, access, settings, timeoutMs: door.requestTimeoutMs },
    explain: (error) => toPostgresError(error, log),
    requireKey: () => requireKey(key, keys),
    async counted(job) {
      const [began, bytes] = [performance.now(), channel.socket.bytesWritten]
      const reservation = key === null ? null : gate.countOf(key)
      let status = 500
      try {
        const result = await job()
        status = 200
        reservation?.spend()
        return result
      } catch (error) {
        status = statusOf(toPostgresError(error, () => {}))
        throw error
      } finally {
        reservation?.release()
        const ms = performance.now() - began
        const snapshot = state.transaction.snapshot?.id
        const written = channel.socket.bytesWritten - bytes
        door.onAnswer({ id: randomUUID(), key, from, ms, status, bytes: written, snapshot })
      }
    },
  })
  const cancelKey = connections.register(state)
  try {
    channel.send(reply.authenticated())
    for (const [name, value] of settings.reported()) channel.send(reply.parameter(name, value))
    channel.send(reply.cancelKey(cancelKey.id, cancelKey.secret))
    await runSession(state)
  } finally {
    connections.forget(cancelKey)
  }
}

/** Errors: 28P01 for a key that was revoked or lost its right since the login, or where keys are needed now. */
function requireKey(key: ApiKey | null, keys: KeyRing): void {
  const now = key === null ? undefined : keys.named(key.id)
  const isValid = key === null ? !keys.isLocked() : now?.sha256 === key.sha256 && whyNoSql(now) === undefined
  if (!isValid) refuse('28P01', 'The key of this connection is no longer accepted.', { isFatal: true })
}

/** Settings of the startup message: its parameters, and `-c name=value` in `options`. */
function settingsOf(user: string, given: ReadonlyMap<string, string>): SessionSettings {
  const settings = new SessionSettings(user)
  for (const [name, value] of given)
    if (!['user', 'database', 'options', 'replication'].includes(name) && !name.startsWith('_pq_.'))
      settings.set(name, value)
  for (const [, name = '', value = ''] of (given.get('options') ?? '').matchAll(
    /(?:-c\s*|--)([\w.-]{1,200})=((?:\\.|[^\s\\])*)/g,
  ))
    settings.set(name.replaceAll('-', '_'), value.replace(/\\(.)/g, '$1'))
  return settings
}

const statuses: Readonly<Record<string, number>> = {
  ...{ '42501': 403, '53400': 429, '53000': 503, '57014': 504, '57P03': 503, XX001: 503, XX000: 500 },
}

const statusOf = ({ sqlstate }: PostgresError) => statuses[sqlstate] ?? 422
