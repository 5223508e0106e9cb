import type { Fault } from './fault.ts'

/** Clocks that lie, and what strangers put into a lake. */
export const clockFaults: readonly Fault[] = [
  {
    what: 'clock: a removal is as old as the clock says',
    file: 'src/lake/log/removals.ts',
    find: 'ageMs: running ?? (await ageByFile(entry, clock))',
    replace: 'ageMs: await ageByFile(entry, clock)',
    tests: ['test/lake/wrong-clocks.test.ts'],
  },
  {
    what: 'clock: what a reader declares is removed',
    file: 'src/lake/vacuum/vacuum.ts',
    find: 'removal.from <= version && version < removal.until',
    replace: 'removal.from < version && version < removal.until',
    tests: ['test/lake/wrong-clocks.test.ts'],
  },
  {
    what: 'clock: a process that lives is judged by its number alone',
    file: 'src/lake/runs/run-owner.ts',
    find: "return actual === birth ? 'lives' : 'gone'",
    replace: "return actual === null ? 'gone' : 'lives'",
    tests: ['test/lake/abandoned-runs.test.ts'],
  },
  {
    what: 'clock: a suspension does not count as running time',
    file: 'src/lake/disk/this-machine.ts',
    find: 'uptime === undefined ? process.uptime() : Number(uptime)',
    replace: 'uptime === undefined ? 0 : process.uptime()',
    tests: ['test/lake/this-machine.test.ts'],
  },
  {
    what: 'clock: starts of processes are compared between time namespaces',
    file: 'src/lake/disk/this-machine.ts',
    find: "{namespace('time')} $",
    replace: "{''} $",
    tests: ['test/lake/this-machine.test.ts'],
  },
  {
    what: 'clock: a file server that is minutes behind stops every vacuum',
    file: 'src/lake/log/removals.ts',
    find: 'SKEW_MS = 3_600_000',
    replace: 'SKEW_MS = 2000',
    tests: ['test/lake/wrong-clocks.test.ts'],
  },
  {
    what: 'clock: a vacuum does not wait for a restore',
    file: 'src/lake/vacuum/vacuum.ts',
    find: 'withTablesAloneOrFull(lake, () => removeUnneeded(request, clock))',
    replace: '(withTablesAloneOrFull && removeUnneeded(request, clock))',
    tests: ['test/operate/backup/beside-vacuum.test.ts'],
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
    find: 'if (statementType === expected) return prepared',
    replace: 'if (statementType !== StatementType.ATTACH) return prepared',
    tests: ['test/engine/second-wall.test.ts'],
  },
]
