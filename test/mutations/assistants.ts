import type { Fault } from './fault.ts'

/** Tools of assistants: who gets SQL, what a reply holds, and where a cursor goes on. */
export const assistantFaults: readonly Fault[] = [
  {
    what: 'a key with a look-back gets SQL if its file says so',
    file: 'src/server/mcp/routes.ts',
    find: "return whyNotWhole('Sql', apiKey) ?? openSql",
    replace: 'return openSql',
    tests: ['test/mcp/keys.test.ts'],
  },
  {
    what: 'SQL is answered without keys',
    file: 'src/server/mcp/routes.ts',
    find: 'if (apiKey === null) return isSqlOpen ? openSql : CLOSED',
    replace: 'if (apiKey === null) return openSql',
    tests: ['test/mcp/over-http.test.ts'],
  },
  {
    what: 'a refused call costs a request of the quota',
    file: 'src/server/mcp/routes.ts',
    find: 'if (!isAnswered) request.setAside = null',
    replace: '',
    tests: ['test/mcp/keys.test.ts'],
  },
  {
    what: 'a key without a feature is answered by a tool that needs it',
    file: 'src/server/mcp/answer-operation.ts',
    find: 'caller.requireFeatures(needs)',
    replace: '',
    tests: ['test/mcp/keys.test.ts'],
  },
  {
    what: 'a page that was cut is given from its beginning again',
    file: 'src/server/mcp/answer-operation.ts',
    find: 'all.slice(before % perPage)',
    replace: 'all.slice(0)',
    tests: ['test/mcp/answers.test.ts'],
  },
  {
    what: 'a reply is longer than it may be',
    file: 'src/server/mcp/bounded-reply.ts',
    find: 'if (left < 0) break',
    replace: '',
    tests: ['test/mcp/answers.test.ts'],
  },
  {
    what: 'a cursor goes on in another request',
    file: 'src/server/mcp/request.ts',
    find: 'cursor === undefined || cursor.asked === asked',
    replace: 'cursor === undefined || cursor.asked !== undefined',
    tests: ['test/mcp/answers.test.ts'],
  },
  {
    what: 'a statement goes on when its caller is gone',
    file: 'src/server/mcp/routes.ts',
    find: 'signal: eitherOf(signal, cancelled)',
    replace: 'signal: cancelled',
    tests: ['test/mcp/over-http.test.ts'],
  },
  {
    what: 'pages of any origin may use the tools',
    file: 'src/server/mcp/routes.ts',
    find: 'if (foreign !== undefined) return refuse(',
    replace: 'if (foreign === String()) return refuse(',
    tests: ['test/mcp/over-http.test.ts'],
  },
  {
    what: 'pages under a name that leads to the server may use the tools',
    file: 'src/server/mcp/routes.ts',
    find: 'return isAddress && origin',
    replace: 'return origin',
    tests: ['test/mcp/messages.test.ts'],
  },
]
