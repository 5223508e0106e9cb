import type { Command } from '../statements/command.ts'
import { refuse } from '../wire/postgres-error.ts'
import { reply } from '../wire/replies.ts'
import { type Portal, rowsOf } from './portal.ts'
import { portalOf } from './prepare.ts'
import { columnsOf } from './prepared.ts'
import { sendCopy, sendRows } from './send-rows.ts'
import type { SessionState } from './state.ts'

/** Answers a command. Errors: those of the command. */
export async function answerCommand(state: SessionState, portal: Portal, most: number): Promise<void> {
  const { command } = portal.prepared
  if (command.kind === 'select') return await sendRows(state, portal, most)
  if (command.kind === 'copy') return await sendCopy(state, portal)
  if (command.kind === 'fetch' || command.kind === 'move')
    return await sendRows(state, state.portals.get(command.name, '34000'), command.rows, {
      ...{ form: portal, tag: command.kind.toUpperCase() },
      ...{ isSent: command.kind === 'fetch', suspends: false },
    })
  if (command.kind === 'show') return sendSettings(state, portal, command.name)
  const tag = await changeState(state, command, portal)
  state.options.channel.send(tag === '' ? reply.empty() : reply.complete(tag))
}

/** Changes the state of the session, and returns the tag of the command; empty for an empty statement. */
async function changeState(state: SessionState, command: Command, portal: Portal): Promise<string> {
  const { transaction, statements, portals } = state
  switch (command.kind) {
    case 'begin':
      transaction.begin()
      return command.tag
    case 'commit':
    case 'rollback':
      return await endTransaction(state, command)
    case 'savepoint':
      transaction.save(command.name)
      return 'SAVEPOINT'
    case 'release':
      transaction.release(command.name, false)
      return 'RELEASE'
    case 'rollback-to':
      transaction.release(command.name, true)
      return 'ROLLBACK'
    case 'set':
      return set(state, command.name, command.value)
    case 'reset':
      if (command.name === 'all') state.options.settings.reset()
      else state.options.settings.set(command.name, undefined)
      return 'RESET'
    case 'discard':
      state.options.settings.reset()
      statements.removeAll()
      await state.closePortals()
      return command.tag
    case 'deallocate':
      if (command.name === 'all') statements.removeAll()
      else if (statements.remove(command.name) === undefined) statements.get(command.name, '26000')
      return command.name === 'all' ? 'DEALLOCATE ALL' : 'DEALLOCATE'
    case 'declare':
      return await declare(state, command, portal)
    case 'close':
      if (command.name === 'all') await state.closePortals()
      else await (portals.remove(command.name) ?? portals.get(command.name, '34000')).stream?.close()
      return command.name === 'all' ? 'CLOSE CURSOR ALL' : 'CLOSE CURSOR'
    case 'nothing':
      return command.tag
    default:
      return ''
  }
}

async function endTransaction(
  state: SessionState,
  { kind, tag, chains }: Extract<Command, { kind: 'begin' | 'commit' | 'rollback' }>,
): Promise<string> {
  const { transaction } = state
  const hasFailed = transaction.state === 'E'
  await state.endTransaction(kind === 'commit' && !hasFailed)
  if (chains) transaction.begin()
  return hasFailed ? 'ROLLBACK' : tag
}

/** Clients learn at once of settings that the protocol reports. */
function set({ options }: SessionState, name: string, value: string | undefined): string {
  const { settings, channel } = options
  settings.set(name, value)
  if (name.toLowerCase() === 'application_name')
    channel.send(reply.parameter('application_name', settings.show(name)))
  if (name.toLowerCase() === 'timezone' && !/^(utc|gmt|etc\/utc|z|default|\+?0)$/i.test(value ?? 'utc'))
    channel.send(
      reply.notice('01000', 'This server shows instants in UTC, whatever the time zone of a client.'),
    )
  return 'SET'
}

async function declare(
  state: SessionState,
  command: Extract<Command, { kind: 'declare' }>,
  { prepared, values }: Portal,
): Promise<string> {
  const { portals, transaction } = state
  const { holds } = command
  if (transaction.state === 'I' && !holds)
    refuse('25P01', 'DECLARE CURSOR can only be used in transaction blocks')
  const columns = prepared.checked && columnsOf(prepared.checked)
  const at = await state.within(async (_, snapshot) => snapshot)
  const portal = { ...portalOf({ ...prepared, columns }, values, []), at, holds }
  portals.add(command.name, portal, '42P03')
  return 'DECLARE CURSOR'
}

function sendSettings({ options }: SessionState, portal: Portal, name: string): void {
  const { settings, channel } = options
  const rows =
    name === 'all' ? settings.all().map(([key, value]) => [key, value, '']) : [[settings.show(name)]]
  for (const row of rowsOf(rows, portal)) channel.send(reply.row(row))
  channel.send(reply.complete('SHOW'))
}
