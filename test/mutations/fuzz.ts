import type { Fault } from './fault.ts'

/** Faults of every kind of target, which drawn and changed cases meet. */
export const fuzzFaults: readonly Fault[] = [
  {
    what: 'the beginning of a range is left out by statements',
    file: 'src/engine/sql/compile-where.ts',
    find: "atLeast: '>='",
    replace: "atLeast: '>'",
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'a page begins a row early where it begins with a chunk',
    file: 'src/repository/placed-page.ts',
    find: 'if (before + rows <= offset) {',
    replace: 'if (before + rows < offset) {',
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'a checkpoint that was altered is read',
    file: 'src/lake/read-checkpoint.ts',
    find: 'if (hasItsDigest(text) !== true) return undefined',
    replace: 'if (hasItsDigest(text) === undefined) return undefined',
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'facts that were altered are read',
    file: 'src/lake/facts-file.ts',
    find: 'digestOf(bytes) !== named.digest)',
    replace: "digestOf(bytes) === '')",
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'the first group of a range is left out by the hotspot index',
    file: 'src/hotspot-index/opened.ts',
    find: 'firstWith((period) => period >= from); rank < end',
    replace: 'firstWith((period) => period > from); rank < end',
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
]
