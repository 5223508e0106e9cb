import type { Fault } from './fault.ts'

/** Clocks that lie, and what strangers put into a lake. */
export const clockFaults: readonly Fault[] = [
  {
    what: 'clock: a removal is as old as the clock says',
    file: 'src/lake/removals.ts',
    find: 'ages.push(running ?? (await ageByFile(entry, clock)))',
    replace: 'ages.push(await ageByFile(entry, clock))',
    tests: ['test/lake/wrong-clocks.test.ts'],
  },
  {
    what: 'clock: what a reader declares is removed',
    file: 'src/lake/vacuum.ts',
    find: 'removal.from <= at && at < removal.until',
    replace: 'removal.from < at && at < removal.until',
    tests: ['test/lake/wrong-clocks.test.ts'],
  },
  {
    what: 'clock: a process that lives is judged by its number alone',
    file: 'src/lake/run-owner.ts',
    find: "return found === birth ? 'lives' : 'gone'",
    replace: "return found === null ? 'gone' : 'lives'",
    tests: ['test/lake/abandoned-runs.test.ts'],
  },
  {
    what: 'clock: a quota forgets the window before',
    file: 'src/keys/counting/tally.ts',
    find: 'used: usage.used + (isThatOne ? before.used : 0)',
    replace: 'used: usage.used',
    tests: ['test/keys/counting/key-counter.test.ts'],
  },
  {
    what: 'clock: the engine runs what is no SELECT',
    file: 'src/engine/duckdb/only-select.ts',
    find: 'if (statementType === StatementType.SELECT) return prepared',
    replace: 'if (statementType !== StatementType.ATTACH) return prepared',
    tests: ['test/engine/second-wall.test.ts'],
  },
]
