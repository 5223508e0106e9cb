import { reply } from '../wire/replies.ts'
import { copyWriter } from './copy-out.ts'
import { type Portal, rowsOf } from './portal.ts'
import { columnsOf } from './prepared.ts'
import type { SessionState } from './state.ts'

/** Where the rows of a portal go. */
interface Destination {
  /** Formats and columns that the client expects. */
  readonly form: Portal
  /** Tag before the number of rows. */
  readonly tag: string
  /** False to count rows only. */
  readonly isSent: boolean
  /** True if an incomplete result is announced as suspended. */
  readonly suspends: boolean
}

/** Rows that are read ahead of a client that reads by parts: a short result gives its process back. */
const ROWS_AHEAD = 1000

/**
 * Runs a portal and sends at most `most` of its rows, or all for 0. A suspended portal keeps its process until its
 * deadline, unless few rows are left. Errors: those of the statement.
 */
export async function sendRows(
  state: SessionState,
  portal: Portal,
  most: number,
  { form, tag, isSent, suspends }: Destination = {
    form: portal,
    tag: 'SELECT',
    isSent: true,
    suspends: true,
  },
): Promise<void> {
  const { channel } = state.options
  let sent = 0
  const isWhole = await pull(state, portal, async (next) => {
    while (most === 0 || sent < most) {
      const rows = await next(most === 0 ? Number.POSITIVE_INFINITY : most - sent)
      if (rows === undefined) return true
      sent += rows.length
      if (!isSent) continue
      for (const row of rowsOf(rows, form)) channel.send(reply.row(row))
      await channel.sendPieces()
    }
    return false
  })
  channel.send(!isWhole && suspends ? reply.suspended() : reply.complete(`${tag} ${sent}`))
}

/** Sends all rows of a SELECT as COPY does. Errors: those of the statement. */
export async function sendCopy(state: SessionState, portal: Portal): Promise<void> {
  const { channel } = state.options
  const { command, checked } = portal.prepared
  if (command.kind !== 'copy' || checked === undefined) return
  const columns = columnsOf(checked)
  const writer = copyWriter(command.options, columns)
  let sent = 0
  channel.send(reply.copyOut(columns.length, command.options.format === 'binary'))
  const sendPart = (part: Uint8Array | undefined) => part && channel.send(reply.copyData(part))
  sendPart(writer.head())
  await pull(state, portal, async (next) => {
    for (let rows = await next(Number.POSITIVE_INFINITY); rows; rows = await next(Number.POSITIVE_INFINITY)) {
      for (const row of rows) sendPart(writer.row(row))
      sent += rows.length
      await channel.sendPieces()
    }
    return true
  })
  sendPart(writer.end())
  channel.send(reply.copyDone(), reply.complete(`COPY ${sent}`))
}

type Next = (most: number) => ReturnType<NonNullable<Portal['stream']>['next']>

/** Lets `take` read rows, which takes no turn from other requests. Returns its result; true if no row is left. */
async function pull(
  state: SessionState,
  portal: Portal,
  take: (next: Next) => Promise<boolean>,
): Promise<boolean> {
  if (portal.isDone) return true
  const { counted, requireKey } = state.options
  requireKey()
  const isFirst = portal.stream === undefined
  const deadline = portal.deadline ?? state.newDeadline()
  portal.deadline = deadline
  const { signal } = deadline
  const job = async () => {
    signal.throwIfAborted()
    portal.stream ??= await start(state, portal, signal)
    const { stream } = portal
    const isWhole = await take((most) => stream.next(most))
    if (!isWhole && (await stream.readAhead(ROWS_AHEAD))) deadline.clear()
    return isWhole
  }
  let isWhole = true
  try {
    isWhole = isFirst ? await counted(job) : await job()
    return isWhole
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    if (isWhole) {
      portal.isDone = true
      deadline.clear()
      await portal.stream?.close()
    }
  }
}

async function start(state: SessionState, { prepared, values, at }: Portal, signal: AbortSignal) {
  const { checked } = prepared
  if (checked === undefined) throw new Error('a portal without a SELECT has no rows')
  const { access } = state.options
  const snapshot = at === undefined ? await state.snapshot(signal) : await access.snapshot(at, signal)
  return await access.start(checked, values, snapshot, signal)
}
