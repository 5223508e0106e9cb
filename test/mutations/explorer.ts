import type { Fault } from './fault.ts'

/** The pages for browsers: digits that get lost, days that are taken for others, and what is told to whom. */
export const explorerFaults: readonly Fault[] = [
  {
    what: 'the explorer reads numbers of replies as doubles',
    file: 'src/explorer/values/exact-json.ts',
    find: "token.startsWith('\"') ? token :",
    replace: 'true ? token :',
    tests: ['test/explorer/values.test.ts'],
  },
  {
    what: 'the explorer shows a day without data as one on which nothing was earned',
    file: 'src/explorer/values/day-states.ts',
    find: "isIn(({ epochs }) => epochs.missing)) return 'missing'",
    replace: "isIn(({ epochs }) => epochs.missing)) return 'nothing'",
    tests: ['test/explorer/values.test.ts'],
  },
  {
    what: 'the explorer asks for the day before the first one too',
    file: 'src/explorer/values/days.ts',
    find: 'T00:00:01Z`',
    replace: 'T00:00:00Z`',
    tests: ['test/explorer/values.test.ts'],
  },
  {
    what: 'scripts of the explorer forget the base path',
    file: 'src/server/explorer/page.ts',
    find: 'type="module" src="$',
    replace: 'type="module" src="/elsewhere$',
    tests: ['test/server/explorer.test.ts'],
  },
  {
    what: 'programs get the page for browsers at /',
    file: 'src/server/explorer/routes.ts',
    find: '[{ type: JSON_TYPE }, { type: HTML_TYPE }]',
    replace: '[{ type: HTML_TYPE }, { type: JSON_TYPE }]',
    tests: ['test/server/explorer.test.ts'],
  },
]
