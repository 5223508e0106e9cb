import { splitStatements } from '../../../answers/sql/split-statements.ts'
import { parameterText } from '../values/parameters.ts'
import { PostgresError, refuse } from '../wire/postgres-error.ts'
import { reply } from '../wire/replies.ts'
import { type BindRequest, type Request, readRequest } from '../wire/requests.ts'
import { answerCommand } from './answer-command.ts'
import { formatsOf } from './portal.ts'
import { portalOf, prepare, requireSound } from './prepare.ts'
import type { Prepared } from './prepared.ts'
import type { SessionState } from './state.ts'

/** Answers messages until the client leaves. Errors: PostgresError that ends the connection. */
export async function runSession(state: SessionState): Promise<void> {
  const { channel, explain } = state.options
  let isSkipping = false
  try {
    channel.send(reply.ready('I'))
    for (let frame = await channel.receive(); frame !== undefined; frame = await channel.receive()) {
      const request = readRequest(frame)
      if (request.type === 'terminate') return
      if (isSkipping && request.type !== 'sync') continue
      isSkipping = false
      try {
        await answer(state, request)
        // Replies to many small messages could be longer than all memory.
        await channel.sendPieces()
      } catch (thrown) {
        const error = explain(thrown)
        if (error.details.isFatal === true) throw error
        await state.fail()
        channel.send(reply.error(error))
        // After an error, messages up to the next Sync are skipped.
        isSkipping = request.type !== 'query'
      }
      if (request.type !== 'query' && request.type !== 'sync') continue
      if (state.transaction.state === 'I') await state.endTransaction(true)
      channel.send(reply.ready(state.transaction.state))
    }
  } finally {
    await state.closePortals()
  }
}

async function answer(state: SessionState, request: Request): Promise<void> {
  const { channel } = state.options
  const { statements, portals } = state
  switch (request.type) {
    case 'query':
      return await answerQuery(state, request.text)
    case 'parse':
      if (request.name === '') statements.remove('')
      statements.add(request.name, await prepare(state, request.text, request.oids), '42P05')
      return channel.send(reply.parsed())
    case 'bind':
      return await bind(state, request)
    case 'describe': {
      if (request.what === 'portal') {
        const { prepared, isBinary } = portals.get(request.name, '34000')
        return channel.send(describe(prepared, isBinary))
      }
      const prepared = statements.get(request.name, '26000')
      return channel.send(reply.parameters(prepared.oids), describe(prepared, []))
    }
    case 'execute': {
      const portal = portals.get(request.portal, '34000')
      requireSound(state, portal.prepared.command)
      return await answerCommand(state, portal, Math.max(0, request.rows))
    }
    case 'close':
      if (request.what === 'statement') statements.remove(request.name)
      else await portals.remove(request.name)?.stream?.close()
      return channel.send(reply.closed())
    case 'call':
      return refuse('0A000', 'Function calls by message are not accepted; use SELECT.')
    case 'flush':
      return await channel.flush()
    default:
      return undefined
  }
}

/** Answers the statements of a text, which share one snapshot, up to the first error. */
async function answerQuery(state: SessionState, text: string): Promise<void> {
  const { channel, explain } = state.options
  const { ended, unended } = splitStatements(text)
  const statements = [...ended, unended].filter((statement) => statement !== '')
  if (statements.length === 0) channel.send(reply.empty())
  let at = 0
  for (const statement of statements) {
    at = text.indexOf(statement, at)
    try {
      const prepared = await prepare(state, statement, [])
      if (prepared.oids.length > 0) refuse('42P02', 'there is no parameter $1')
      const { command, columns } = prepared
      const isBinary = command.kind === 'fetch' && isBinaryCursor(state, command.name)
      const portal = portalOf(prepared, [], [isBinary])
      if (columns !== undefined) channel.send(describe(prepared, portal.isBinary))
      await answerCommand(state, portal, 0)
      await channel.sendPieces()
    } catch (error) {
      throw movedBy(explain(error), [...text.slice(0, at)].length)
    }
  }
}

function isBinaryCursor({ portals }: SessionState, name: string): boolean {
  const { command } = portals.get(name, '34000').prepared
  return command.kind === 'declare' && command.isBinary
}

function movedBy(error: PostgresError, characters: number): PostgresError {
  const { position } = error.details
  if (position === undefined || characters === 0) return error
  return new PostgresError(error.sqlstate, error.message, {
    ...error.details,
    position: position + characters,
  })
}

async function bind(state: SessionState, request: BindRequest): Promise<void> {
  const { portal, statement, formats, values, resultFormats } = request
  const prepared = state.statements.get(statement, '26000')
  requireSound(state, prepared.command)
  const { oids } = prepared
  if (values.length !== oids.length)
    refuse('08P01', `The statement has ${oids.length} parameters; the message has ${values.length} values.`)
  const isBinary = formatsOf(formats, values.length)
  const texts = values.map((value, index) =>
    value === null ? null : parameterText(oids[index] ?? 0, value, isBinary[index] === true, index + 1),
  )
  if (portal === '') await state.portals.remove('')?.stream?.close()
  state.portals.add(portal, portalOf(prepared, texts, resultFormats), '42P03')
  state.options.channel.send(reply.bound())
}

function describe({ columns }: Prepared, isBinary: readonly boolean[]): Uint8Array {
  if (columns === undefined) return reply.noData()
  return reply.columns(columns.map((column, index) => ({ ...column, isBinary: isBinary[index] === true })))
}
