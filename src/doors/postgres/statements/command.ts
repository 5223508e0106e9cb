import { refuse } from '../wire/postgres-error.ts'
import { type CopyOptions, copyOptionsOf } from './copy-options.ts'
import { unquoted, type Word, wordsOf } from './words.ts'

/** A statement that this server answers itself, or a SELECT for the engine. */
export type Command =
  | { readonly kind: 'empty' }
  | { readonly kind: 'select'; readonly text: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback'; readonly tag: string; readonly chains?: boolean }
  | { readonly kind: 'savepoint' | 'release' | 'rollback-to' | 'deallocate'; readonly name: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'reset' | 'show'; readonly name: string }
  | { readonly kind: 'discard' | 'nothing'; readonly tag: string }
  | {
      readonly kind: 'declare'
      readonly name: string
      readonly isBinary: boolean
      readonly holds: boolean
      readonly text: string
    }
  | { readonly kind: 'fetch' | 'move'; readonly name: string; readonly rows: number }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'copy'; readonly text: string; readonly options: CopyOptions }

/** Words of COPY, which may hold a whole SELECT. */
const MOST_COPY_WORDS = 100_000

/** Statements that change something. Source: PostgreSQL, "Hot Standby", and the tags of its commands. */
const writing = new Set([
  ...['insert', 'update', 'delete', 'merge', 'create', 'drop', 'alter', 'truncate', 'grant', 'revoke'],
  ...['comment', 'vacuum', 'analyze', 'cluster', 'reindex', 'refresh', 'import', 'security', 'reassign'],
  ...[
    'lock',
    'notify',
    'listen',
    'load',
    'attach',
    'detach',
    'install',
    'call',
    'do',
    'checkpoint',
    'prepare',
  ],
])

/** Reads a statement. Errors: 25006 if it writes; 0A000, 42601. */
export function commandOf(text: string): Command {
  const words = wordsOf(text)
  const [verb = '', second = '', third = ''] = words.map((word) => word.text)
  const rest = words.slice(1)
  switch (verb) {
    case 'begin':
    case 'start':
      return begin(verb === 'start' ? 'START TRANSACTION' : 'BEGIN', rest)
    case 'commit':
    case 'end':
      if (second === 'prepared') return refuseWrite('COMMIT PREPARED')
      return { kind: 'commit', tag: 'COMMIT', chains: chains(rest) }
    case 'abort':
    case 'rollback': {
      const to = rest.findIndex((word) => word.text === 'to')
      if (to >= 0) return { kind: 'rollback-to', name: nameAt(rest.slice(to + 1), 'savepoint') }
      if (second === 'prepared') return refuseWrite('ROLLBACK PREPARED')
      return { kind: 'rollback', tag: 'ROLLBACK', chains: chains(rest) }
    }
    case 'savepoint':
      return { kind: 'savepoint', name: nameAt(rest) }
    case 'release':
      return { kind: 'release', name: nameAt(rest, 'savepoint') }
    case 'set':
      return set(rest)
    case 'reset':
      return { kind: 'reset', name: second === 'session' ? third : unquoted(second) }
    case 'show':
      return show(text, rest)
    case 'discard':
      return { kind: 'discard', tag: `DISCARD ${second.toUpperCase()}` }
    case 'deallocate':
      return { kind: 'deallocate', name: nameAt(rest, 'prepare') }
    case 'unlisten':
      return { kind: 'nothing', tag: 'UNLISTEN' }
    case 'declare':
      return declare(text, rest)
    case 'fetch':
    case 'move':
      return fetchOf(verb, rest)
    case 'close':
      return { kind: 'close', name: nameAt(rest) }
    case 'copy':
      return copy(text)
    case 'explain':
      if (['analyze', 'analyse', '('].includes(second))
        return refuse('0A000', 'EXPLAIN has no options here; use EXPLAIN SELECT.')
      return { kind: 'select', text }
    case 'execute':
      return refuse('0A000', 'EXECUTE is not accepted; use one SELECT.')
    case 'table':
      return { kind: 'select', text: `FROM ${text.slice(words[0]?.end ?? 0)}` }
    default:
      return writing.has(verb) ? refuseWrite(verb.toUpperCase()) : { kind: 'select', text }
  }
}

function refuseWrite(verb: string): never {
  return refuse('25006', `cannot execute ${verb} in a read-only transaction`)
}

const chains = (words: readonly Word[]) =>
  words.some(({ text }) => text === 'chain') && !words.some(({ text }) => text === 'no')

function begin(tag: string, words: readonly Word[]): Command {
  if (/\bread write\b/.test(words.map(({ text }) => text).join(' '))) refuseReadWrite()
  return { kind: 'begin', tag }
}

/** Source: PostgreSQL, check_transaction_read_only of a standby. */
function refuseReadWrite(): never {
  return refuse('0A000', 'cannot set transaction read-write mode during recovery')
}

function set(words: readonly Word[]): Command {
  const list = words.filter(({ text }) => !['session', 'local'].includes(text)).map(({ text }) => text)
  const [name = '', ...values] = list
  if (name === 'transaction' || name === 'characteristics') {
    if (/\bread write\b/.test(values.join(' ')) && name === 'transaction') refuseReadWrite()
    return { kind: 'nothing', tag: 'SET' }
  }
  if (name === 'time' && values[0] === 'zone')
    return { kind: 'set', name: 'timezone', value: unquoted(values[1] ?? '') }
  if (['role', 'authorization', 'constraints'].includes(name)) return { kind: 'nothing', tag: 'SET' }
  if (name === 'names') return { kind: 'set', name: 'client_encoding', value: unquoted(values[0] ?? 'UTF8') }
  if (!/^[a-z"_]/i.test(name) || !['=', 'to'].includes(values[0] ?? ''))
    return refuse('42601', 'SET needs a name and a value: SET name TO value.')
  return {
    kind: 'set',
    name: unquoted(name),
    value: values
      .slice(1)
      .filter((text) => text !== ';')
      .map(unquoted)
      .join(''),
  }
}

function show(text: string, words: readonly Word[]): Command {
  const list = words.map((word) => word.text).filter((word) => word !== ';')
  const name = list.join(' ')
  if (['tables', 'all tables', 'databases', 'schemas'].includes(name)) return { kind: 'select', text }
  if (name === 'transaction isolation level') return { kind: 'show', name: 'transaction_isolation' }
  if (name === 'session authorization') return { kind: 'show', name: 'session_authorization' }
  if (name === 'time zone') return { kind: 'show', name: 'timezone' }
  return { kind: 'show', name: unquoted(list[0] ?? '') }
}

function declare(text: string, words: readonly Word[]): Command {
  const at = words.findIndex((word) => word.text === 'for')
  const before = words.slice(0, at).map((word) => word.text)
  if (at < 0 || !before.includes('cursor')) return refuse('42601', 'DECLARE needs CURSOR FOR and a SELECT.')
  if (before.includes('scroll') && !before.includes('no'))
    return refuse('0A000', 'A SCROLL cursor is not accepted; this one reads forward only.')
  return {
    ...{ kind: 'declare', name: unquoted(before[0] ?? ''), isBinary: before.includes('binary') },
    holds: before.includes('hold') && !before.includes('without'),
    text: text.slice(words[at]?.end ?? 0),
  }
}

function fetchOf(kind: 'fetch' | 'move', words: readonly Word[]): Command {
  const list = words.map(({ text }) => text).filter((text) => !['from', 'in', 'forward', ';'].includes(text))
  const [count = '', name] = list.length > 1 ? list : ['1', list[0]]
  const rows = count === 'all' ? 0 : count === 'next' ? 1 : Number(count)
  if (name === undefined || !Number.isSafeInteger(rows) || rows < 0 || (rows === 0 && count !== 'all'))
    return refuse('0A000', `${kind.toUpperCase()} ${count} is not accepted; use NEXT, a count, or ALL.`)
  return { kind, name: unquoted(name), rows }
}

function copy(text: string): Command {
  const words = wordsOf(text, MOST_COPY_WORDS)
  const [verb, first] = words
  const query = first?.text === '(' ? closingOf(text, first.end) : undefined
  const after = query === undefined ? words.slice(1) : wordsOf(text.slice(query.end), MOST_COPY_WORDS)
  const at = after.findIndex((word) => word.text === 'to')
  if (at < 0) return refuseWrite('COPY FROM')
  if (after[at + 1]?.text !== 'stdout')
    return refuse('42501', 'COPY writes to STDOUT alone; a client such as psql writes files with \\copy.')
  const options = copyOptionsOf(after.slice(at + 2))
  if (query !== undefined) return { kind: 'copy', text: text.slice(first?.end ?? 0, query.end - 1), options }
  const named = after.slice(0, at)
  const open = named.find((word) => word.text === '(')
  const close = open && named.at(-1)
  if (close !== undefined && close.text !== ')')
    return refuse('42601', 'COPY needs a table, its columns in brackets if not all, and TO STDOUT.')
  const table = text.slice(verb?.end ?? 0, open === undefined ? named.at(-1)?.end : open.end - 1)
  const columns = open === undefined ? '*' : text.slice(open.end, (close?.end ?? 0) - 1)
  return { kind: 'copy', text: `SELECT ${columns} FROM ${table}`, options }
}

/** Offset after the bracket that closes one before `start`. Errors: 42601. */
function closingOf(text: string, start: number): { end: number } {
  let open = 1
  for (const word of wordsOf(text.slice(start), MOST_COPY_WORDS)) {
    open += word.text === '(' ? 1 : word.text === ')' ? -1 : 0
    if (open === 0) return { end: start + word.end }
  }
  return refuse('42601', 'The bracket after COPY is not closed.')
}

function nameAt(words: readonly Word[], optional = ''): string {
  const list = words.map(({ text }) => text).filter((text) => text !== ';')
  const name = list[0] === optional && list.length > 1 ? list[1] : list[0]
  return name === undefined ? refuse('42601', 'The statement names nothing.') : unquoted(name)
}
