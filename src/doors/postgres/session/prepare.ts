import { pgTypes } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { splitStatements } from '../../../answers/sql/split-statements.ts'
import { type Command, commandOf } from '../statements/command.ts'
import { parameterTypeOf } from '../values/parameters.ts'
import { oidOf } from '../values/pg-columns.ts'
import { refuse } from '../wire/postgres-error.ts'
import { formatsOf, type Portal } from './portal.ts'
import { columnsOf, type NamedColumn, type Prepared, textColumn } from './prepared.ts'
import type { SessionState } from './state.ts'

/** Commands that a failed transaction accepts. */
const ending: readonly string[] = ['commit', 'rollback', 'rollback-to']

/** Errors: 25P02 in a failed transaction, unless the command ends it. */
export function requireSound({ transaction }: SessionState, { kind }: Command): void {
  if (!ending.includes(kind)) transaction.requireSound()
}

/** Reads and checks a statement. Errors: those of the statement; 25P02. */
export async function prepare(state: SessionState, text: string, oids: readonly number[]): Promise<Prepared> {
  const { ended, unended } = splitStatements(text)
  const [statement = '', ...remaining] = [...ended, unended].filter((one) => one !== '')
  if (remaining.length > 0)
    return refuse('42601', 'cannot insert multiple commands into a prepared statement')
  const command: Command = statement === '' ? { kind: 'empty' } : commandOf(statement)
  requireSound(state, command)
  if (command.kind !== 'select' && command.kind !== 'copy' && command.kind !== 'declare')
    return { command, oids: [], columns: resultOf(command, state) }
  const types = oids.map(parameterTypeOf)
  const checked = await state.within((signal, at) =>
    state.options.access.check(command.text, types, at, signal),
  )
  const given = checked.parameters.map(
    ({ type }, index) => oids[index] || oidOfCast(command.text, index + 1) || oidOf(type),
  )
  if (command.kind === 'copy' && given.length > 0)
    return refuse('42P02', 'there is no parameter $1; write the values into COPY')
  return {
    command,
    oids: given,
    checked,
    columns: command.kind === 'select' ? columnsOf(checked) : undefined,
  }
}

/** `$1::oid[]` -> the type of arrays of oids, which is a list of numbers in the engine. Undefined for other types. */
function oidOfCast(text: string, parameter: number): number | undefined {
  const [cast, bracket] = new RegExp(`\\$${parameter}\\s*::\\s*oid\\b\\s*(\\[)?`, 'i').exec(text) ?? []
  if (cast === undefined) return undefined
  return bracket === undefined ? pgTypes.oid.oid : pgTypes.oid.array
}

/** Columns of a command that answers with rows. */
function resultOf(command: Command, { portals }: SessionState): readonly NamedColumn[] | undefined {
  if (command.kind === 'fetch') {
    const { checked } = portals.get(command.name, '34000').prepared
    return checked && columnsOf(checked)
  }
  if (command.kind !== 'show') return undefined
  return command.name === 'all'
    ? [textColumn('name'), textColumn('setting'), textColumn('description')]
    : [textColumn(command.name)]
}

export function portalOf(prepared: Prepared, values: Portal['values'], formats: readonly boolean[]): Portal {
  return { prepared, values, isBinary: formatsOf(formats, prepared.columns?.length ?? 0), isDone: false }
}
