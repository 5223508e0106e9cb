import type { Fault } from './fault.ts'

/** What would be said to be there although it is missing, or the other way round. */
export const coverageFaults: readonly Fault[] = [
  {
    what: 'a period is counted for the day on which it ends',
    file: 'src/derive/epoch-day.ts',
    find: 'return dayOf(end - DAY_MICROS / 2n)',
    replace: 'return dayOf(end)',
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'a day that only a manifest knows of counts as present',
    file: 'src/repository/coverage.ts',
    find: '({ isPresent }) => isPresent)\n    this.#incomplete',
    replace: '() => true)\n    this.#incomplete',
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'a missing file of a day that has others goes unnoticed',
    file: 'src/repository/coverage.ts',
    find: 'days: this.#absentDays(range) + incomplete,',
    replace: 'days: this.#absentDays(range),',
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'manifests of the other network are compared too',
    file: 'src/repository/epochs.ts',
    find: 'if (reward_type !== network) continue',
    replace: "if (reward_type === '') continue",
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'days that had not ended at the newest commit are missing',
    file: 'src/repository/coverage.ts',
    find: 'return epochsWithin(from, to < until ? to : until)',
    replace: 'return epochsWithin(from, until < to ? to : to)',
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'a file that comes late is not said to be',
    file: 'src/ingest/store-rows.ts',
    find: 'own < newest',
    replace: 'own > newest',
    tests: ['test/repository/coverage.test.ts'],
  },
  {
    what: 'a 304 does not say what is missing',
    file: 'src/server/rest/route-handler.ts',
    find: "if (missing !== undefined) reply.header('Ledgerlake-Missing', missing)",
    replace:
      "if (missing !== undefined && !isHeld(request, tag)) reply.header('Ledgerlake-Missing', missing)",
    tests: ['test/server/coverage.test.ts'],
  },
  {
    what: 'a file does not say what its range lacks',
    file: 'src/server/rest/route-handler.ts',
    find: "return knowsDays && (kind !== 'list' || format !== undefined)",
    replace: "return knowsDays && (kind !== 'list' && format === undefined)",
    tests: ['test/server/coverage-of-series.test.ts'],
  },
  {
    what: 'days of the ledger that lie inside a chunk count as present',
    file: 'src/repository/ledger-coverage.ts',
    find: 'day = first + 1; day < last; day += 1) if (!present.has(day)) inside.add(day)',
    replace: 'day = first + 1; day < last; day += 1) present.add(day)',
    tests: ['test/server/ledger-coverage.test.ts'],
  },
  {
    what: 'a range of the ledger is taken for microseconds',
    file: 'src/repository/coverages.ts',
    find: "?.kind === 'seconds' ? value * 1_000_000n : value",
    replace: "?.kind === 'seconds' ? value : value",
    tests: ['test/server/ledger-coverage.test.ts'],
  },
  {
    what: 'a range that a look-back cut shares its reply with one that was asked for',
    file: 'src/server/reply/request-tag.ts',
    find: 'if (coverage) text',
    replace: 'if (!coverage) text',
    tests: ['test/server/coverage.test.ts'],
  },
  {
    what: 'the status does not say what a look-back cut',
    file: 'src/server/rest/status.ts',
    find: '{ ...coverage, ...fromServedMember(from) }',
    replace: '{ ...coverage }',
    tests: ['test/server/from-served.test.ts'],
  },
  {
    what: 'a statement does not say what a look-back cut',
    file: 'src/server/rest/statement.ts',
    find: 'served.first === days.first ? null : served.first',
    replace: 'served.first === days.last ? null : null',
    tests: ['test/server/from-served.test.ts'],
  },
]
