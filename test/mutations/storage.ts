import type { Fault } from './fault.ts'

/** The log, commits, statistics, sorted copies, compaction. */
export const storageFaults: readonly Fault[] = [
  {
    what: 'a removed file stays',
    file: 'src/lake/delta-log.ts',
    find: "if ('remove' in action) live.delete(",
    replace: "if ('remove' in action) live.delete('x' + ",
    tests: ['test/lake/snapshot.test.ts', 'test/ingest/replace.test.ts'],
  },
  {
    what: 'a flipped bit in the log is not noticed',
    file: 'src/lake/delta-log.ts',
    find: 'digestOf(text.replace(named, NO_DIGEST)) === named',
    replace: 'digestOf(text.replace(named, NO_DIGEST)) !== NO_DIGEST',
    tests: ['test/lake/damage.test.ts'],
  },
  {
    what: 'a missing entry ends the log quietly',
    file: 'src/lake/delta-log.ts',
    find: 'Number(digits) > missing)',
    replace: 'Number(digits) > missing + 1000)',
    tests: ['test/lake/damage.test.ts', 'test/lake/snapshot.test.ts'],
  },
  {
    what: 'a table of a newer writer is written all the same',
    file: 'src/lake/commit.ts',
    find: 'if (log?.writerRefusal !== undefined) {',
    replace: 'if (log?.writerRefusal === null) {',
    tests: ['test/lake/damage.test.ts', 'test/bad-input/surroundings.test.ts'],
  },
  {
    what: 'a file that is in already is committed again',
    file: 'src/lake/commit.ts',
    find: 'else if (own !== undefined) taken.set(key, source.sha256)',
    replace: '',
    tests: ['test/lake/commit.test.ts', 'test/ingest/overtaken.test.ts'],
  },
  {
    what: 'a replaced file keeps its old rows',
    file: 'src/lake/commit.ts',
    find: '...stale.map((add) => removeAction(add)),',
    replace: '',
    tests: ['test/ingest/replace.test.ts'],
  },
  {
    what: 'a maximum is cut below its values',
    file: 'src/lake/file-stats.ts',
    find: "bound === 'most' && cut < micros ? cut + MILLISECOND : cut",
    replace: 'cut',
    tests: ['test/lake/delta-protocol.test.ts', 'test/lake/independent-reader.test.ts'],
  },
  {
    what: 'sorted copies of other files are used',
    file: 'src/orders/orders-index.ts',
    find: 'if (digestOfIndex(folder, tables) !== digest) return undefined',
    replace: '',
    tests: ['test/orders/order-tables.test.ts'],
  },
  {
    what: 'a sorted copy whose end is harmed is used',
    file: 'src/orders/orders-index.ts',
    find: 'found.bytes !== bytes || found.tail !== tail',
    replace: 'found.bytes !== bytes',
    tests: ['test/orders/order-tables.test.ts'],
  },
  {
    what: 'compaction divides the rows of one period among files',
    file: 'src/compact/divide.ts',
    find: 'next.from <= last.to)',
    replace: 'next.from < last.to)',
    tests: ['test/compact/divide.test.ts'],
  },
  {
    what: 'what was read back is not compared with what was counted',
    file: 'src/ingest/verify.ts',
    find: 'if (difference === undefined) return',
    replace: 'if (difference !== null) return',
    tests: ['test/ingest/exactly-once.test.ts', 'test/lake/damage.test.ts'],
  },
  {
    what: 'two files of the same bytes share the ids of their rows',
    file: 'src/lake/source.ts',
    find: '{source.name}\\0$',
    replace: '{source.kind}\\0$',
    tests: ['test/spec/reward-share-records.test.ts', 'test/ingest/exactly-once.test.ts'],
  },
]
