import type { Fault } from './fault.ts'

const BOUNDED = 'test/doors/postgres/bounded-sessions.test.ts'
const HELD = 'test/doors/postgres/held-processes.test.ts'
const LOGIN = 'test/doors/postgres/login.test.ts'
const PROTOCOL = 'test/doors/postgres/protocol.test.ts'
const REST = 'test/doors/rest/sql.test.ts'

/** SQL by the protocol of PostgreSQL and over HTTP: who gets in, what a connection holds, and which rows come out. */
export const wireFaults: readonly Fault[] = [
  {
    what: 'any proof of SCRAM is accepted',
    file: 'src/doors/postgres/login/scram.ts',
    find: "if (!timingSafeEqual(hash('sha256', clientKey, 'buffer'), storedKey)) return undefined",
    replace: '',
    tests: [LOGIN],
  },
  {
    what: 'the key of one name opens another in the clear',
    file: 'src/doors/postgres/login/log-in.ts',
    find: 'keys.find(fields.text())?.name === user',
    replace: 'keys.find(fields.text()) !== undefined',
    tests: [LOGIN],
  },
  {
    what: 'bytes sent before the encryption count as encrypted',
    file: 'src/doors/postgres/login/startup.ts',
    find: "if (channel.frames.size > 0) refuseMessage('Data arrived before the encryption began.')",
    replace: '',
    tests: [LOGIN],
  },
  {
    what: 'a connection outlives the right of its key',
    file: 'src/doors/postgres/serve-connection.ts',
    find: ' && whyNoSql(now) === undefined',
    replace: '',
    tests: [LOGIN],
  },
  {
    what: 'a message may have any length',
    file: 'src/doors/postgres/wire/frames.ts',
    find: ' || length > most)',
    replace: ')',
    tests: ['test/doors/postgres/limits.test.ts'],
  },
  {
    what: 'the id alone cancels a statement',
    file: 'src/doors/postgres/connections.ts',
    find: 'session?.secret !== secret',
    replace: 'session === undefined || secret === undefined',
    tests: [BOUNDED],
  },
  {
    what: 'statements that write are not named as such',
    file: 'src/doors/postgres/statements/command.ts',
    find: "writing.has(verb) ? refuseWrite(verb.toUpperCase()) : { kind: 'select', text }",
    replace: "{ kind: 'select', text }",
    tests: [PROTOCOL],
  },
  {
    what: 'statements of a transaction see several snapshots',
    file: 'src/doors/postgres/session/state.ts',
    find: 'this.transaction.snapshot = at',
    replace: '',
    tests: [BOUNDED],
  },
  {
    what: 'a portal ignores its limit of rows',
    file: 'src/doors/postgres/session/session.ts',
    find: 'Math.max(0, request.rows)',
    replace: '0',
    tests: [PROTOCOL],
  },
  {
    what: 'a binary NUMERIC below one has the weight of one',
    file: 'src/doors/postgres/values/numeric.ts',
    find: 'first += 1\n    weight -= 1',
    replace: 'first += 1',
    tests: ['test/doors/postgres/values.test.ts'],
  },
  {
    what: 'a quote in an element of an array ends its literal',
    file: 'src/doors/postgres/values/parameters.ts',
    find: "element.replace(/['\\\\]/g, '\\\\$&')",
    replace: 'element',
    tests: [BOUNDED],
  },
  {
    what: 'replies to small messages pile up in memory',
    file: 'src/doors/postgres/session/session.ts',
    find: '        await answer(state, request)\n        // Replies to many small messages could be longer than all memory.\n        await channel.sendPieces()',
    replace: '        await answer(state, request)',
    tests: [BOUNDED],
  },
  {
    what: 'a connection with many messages keeps others from their turn',
    file: 'src/doors/postgres/wire/socket-channel.ts',
    find: 'await setImmediate()',
    replace: '',
    tests: [BOUNDED],
  },
  {
    what: 'a statement waits for a process without end',
    file: 'src/doors/postgres/session/sql-access.ts',
    find: 'const runner = await open(at, signal)\n    const check =',
    replace: 'const runner = await open(at, new AbortController().signal)\n    const check =',
    tests: [HELD],
  },
  {
    what: 'a statement that waits for a process keeps others from their turn',
    file: 'src/doors/postgres/session/sql-access.ts',
    find: 'const runner = await open(at, signal)\n    const check =',
    replace: 'const runner = await inTurn(running, signal, () => open(at, signal))\n    const check =',
    tests: [HELD],
  },
  {
    what: 'a suspended statement outlives its time',
    file: 'src/doors/postgres/session/row-stream.ts',
    find: "signal.addEventListener('abort', end, { once: true })",
    replace: "new AbortController().signal.addEventListener('abort', end, { once: true })",
    tests: [HELD],
  },
  {
    what: 'two values of a parameter have one ETag and one cached reply',
    file: 'src/doors/rest/sql.ts',
    find: 'at.id, statement, values, rows,',
    replace: 'at.id, statement, values.length, rows,',
    tests: [REST],
  },
  {
    what: 'a key with a look-back reads everything by SQL',
    file: 'src/doors/gate/sql-access.ts',
    find: "return whyNotWhole('Sql', apiKey) ?? openSql",
    replace: 'return openSql',
    tests: [REST],
  },
  {
    what: 'processes for SQL go to clients in order of arrival',
    file: 'src/base/slots.ts',
    find: 'next === undefined || this.#heldBy(one[1]) < this.#heldBy(next[1])',
    replace: 'next === undefined',
    tests: ['test/doors/postgres/fair-processes.test.ts'],
  },
  {
    what: 'a cursor WITH HOLD ends with its transaction',
    file: 'src/doors/postgres/session/state.ts',
    find: 'portal.isHeld ||= portal.holds',
    replace: 'portal.isHeld ||= false',
    tests: [PROTOCOL],
  },
  {
    what: 'a cursor WITH HOLD stays after a rollback',
    file: 'src/doors/postgres/session/answer-command.ts',
    find: "state.endTransaction(kind === 'commit' && !hasFailed)",
    replace: 'state.endTransaction(true)',
    tests: [PROTOCOL],
  },
]
