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
    what: 'a block of the index by hotspot that was altered is read',
    file: 'src/index/blocks/container.ts',
    find: 'if (crc32(bytes) !== part.checksum) throw',
    replace: 'if (part.checksum === undefined) throw',
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'facts that were altered are read',
    file: 'src/lake/facts/facts-file.ts',
    find: 'digestOf(bytes) !== named.digest)',
    replace: "digestOf(bytes) === '')",
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
  {
    what: 'the first group of a range is left out by the index by hotspot',
    file: 'src/index/keyed/key-file.ts',
    find: 'firstAtLeast(periods, from)',
    replace: 'firstAtLeast(periods, from + 1n)',
    tests: ['test/fuzz/fuzz.slow.test.ts'],
  },
]
