import type { Fault } from './fault.ts'

const room = 'src/engine/trino'
const errors = ['test/engine/trino/errors.test.ts']
const dialect = ['test/engine/trino/dialect.test.ts']
const narrow = ['test/engine/trino/narrow-plan.test.ts']
const tls = ['test/engine/trino/tls.test.ts']

/** Trino: what it says and does not say, what is asked, and how often, and who hears the password. */
export const trinoFaults: readonly Fault[] = [
  {
    what: 'a statement that was cancelled on the cluster counts as a whole answer',
    file: `${room}/trino-client.ts`,
    find: "if (state !== 'FINISHED')",
    replace: 'if (state === undefined)',
    tests: errors,
  },
  {
    what: 'an error of the cluster in a reply with status 200 is not looked at',
    file: `${room}/trino-client.ts`,
    find: 'if (reply.error != null) {',
    replace: 'if (reply.error === null) {',
    tests: errors,
  },
  {
    what: 'a statement goes on in the cluster when its caller has left',
    file: `${room}/trino-client.ts`,
    find: 'if (!isOver) void this.#cancel(sent)',
    replace: '',
    tests: errors,
  },
  {
    what: 'the cluster is not told the deadline',
    file: `${room}/trino-client.ts`,
    find: 'query_max_run_time',
    replace: 'query_client_time',
    tests: errors,
  },
  {
    what: 'whole lists have the deadline of a page in the cluster',
    file: `${room}/trino-engine.ts`,
    find: 'pages(sql, options.longestListMs, signal)',
    replace: 'pages(sql, options.longestMs, signal)',
    tests: errors,
  },
  {
    what: 'the table of another lake answers',
    file: `${room}/trino-engine.ts`,
    find: 'await checkTable(table, signal)',
    replace: '',
    tests: errors,
  },
  {
    what: 'a table that could not be compared once is refused for ever',
    file: `${room}/same-tables.ts`,
    find: 'check.catch(() => checks.delete(key))',
    replace: 'check.catch(() => {})',
    tests: errors,
  },
  {
    what: 'turns are not given back',
    file: 'src/base/slots.ts',
    find: 'this.#running -= 1',
    replace: 'this.#running -= 0',
    tests: ['test/base/slots.test.ts'],
  },
  {
    what: 'who has left while waiting for a turn still gets one',
    file: 'src/base/slots.ts',
    find: 'this.#waiting.delete(begin)\n        reject(signal?.reason)',
    replace: 'reject(signal?.reason)',
    tests: ['test/base/slots.test.ts'],
  },
  {
    what: 'an amount is taken from a JSON number, which has lost digits',
    file: `${room}/trino-values.ts`,
    find: "typeof value === 'string' && /^-?\\d+$/.test(value) ? BigInt(value)",
    replace: '/^-?\\d+$/.test(String(value)) ? BigInt(String(value))',
    tests: errors,
  },
  {
    what: 'a refusal holds the request with its password',
    file: `${room}/failures.ts`,
    find: 'sentence, { cause })',
    replace: 'sentence, { cause: error })',
    tests: errors,
  },
  {
    what: 'the newest version answers instead of that of the snapshot',
    file: `${room}/trino-dialect.ts`,
    find: ' FOR VERSION AS OF ',
    replace: ' AS newest',
    tests: dialect,
  },
  {
    what: 'whole numbers of 64 bits are asked for as JSON numbers',
    file: `${room}/trino-dialect.ts`,
    find: "['long', 'whole', 'seconds', 'cell', 'instant']",
    replace: "['instant']",
    tests: dialect,
  },
  {
    what: 'sums have the digits of their column',
    file: `${room}/trino-dialect.ts`,
    find: "AS DECIMAL(38,0))), DECIMAL '0')`,\n    // Trino",
    replace: "AS DECIMAL(20,0))), DECIMAL '0')`,\n    // Trino",
    tests: dialect,
  },
  {
    what: 'a step has only what comes after its start',
    file: `${room}/trino-dialect.ts`,
    find: ', found + more) <= ',
    replace: ', found + more) < ',
    tests: dialect,
  },
  {
    what: 'a quote ends a literal early',
    file: `${room}/literals.ts`,
    find: `.replaceAll("'", "''")`,
    replace: '',
    tests: dialect,
  },
  {
    what: 'a wide character is escaped by four digits',
    file: `${room}/literals.ts`,
    find: 'hex.length > 4',
    replace: 'hex.length > 6',
    tests: dialect,
  },
  {
    what: 'the page of a few groups skips one row too many',
    file: `${room}/narrow-plan.ts`,
    find: 'offset: from - statistics.divide(range, firstGroup).before,',
    replace: 'offset: from - statistics.divide(range, firstGroup).before + 1,',
    tests: narrow,
  },
  {
    what: 'a page from the end leaves out the sources before a position',
    file: `${room}/narrow-plan.ts`,
    find: 'end - needed - (high?.rows ?? 0)',
    replace: 'end - needed',
    tests: narrow,
  },
  {
    what: 'a password may be given with an address of http',
    file: `${room}/options-of.ts`,
    find: "!server.startsWith('https:')",
    replace: "!server.startsWith('http')",
    tests: ['test/engine/trino/settings.test.ts'],
  },
  {
    what: 'a password follows a reply to plain HTTP',
    file: `${room}/trino-client.ts`,
    find: "password !== '' && !address.startsWith('https:')",
    replace: "password !== '' && address === ''",
    tests: tls,
  },
  {
    what: 'an operator is not told of the authority that is not known',
    file: `${room}/failures.ts`,
    find: 'byCode[name] ?? away',
    replace: 'away',
    tests: tls,
  },
  {
    what: 'a catalog that nobody can write is not named',
    file: `${room}/register-tables.ts`,
    find: "words.startsWith('PERMISSION_DENIED') ? WRITABLE : error.message",
    replace: 'error.message',
    tests: ['test/engine/trino/register.test.ts'],
  },
]
