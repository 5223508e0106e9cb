import type { Fault } from './fault.ts'

const packed = ['test/index/packed-numbers.test.ts']
const blocks = ['test/index/block-file.test.ts']
const derived = ['test/maintenance/derived.test.ts']
const lists = ['test/repository/filtered-lists.test.ts']

/** Rows in blocks, and what is read from them. */
export const blockFaults: readonly Fault[] = [
  {
    what: 'a step down between packed numbers is read as one up',
    file: 'src/index/unpack-numbers.ts',
    find: 'const sign = -(low & 1)',
    replace: 'const sign = 0',
    tests: packed,
  },
  {
    what: 'the upper half of packed numbers gets no carry',
    file: 'src/index/unpack-numbers.ts',
    find: '(sum >= WORD ? 1 : 0)',
    replace: '0',
    tests: packed,
  },
  {
    what: 'keys that the engine has numbered get the number of the next one',
    file: 'src/index/numbers-of-values.ts',
    find: 'to.add(items[row] as number, 0)',
    replace: 'to.add((items[row] as number) + 1, 0)',
    tests: ['test/index/built-blocks.test.ts'],
  },
  {
    what: 'a number that is the least is packed as one below',
    file: 'src/index/pack-numbers.ts',
    find: 'writer.putWide((own - low) >>> 0, above >>> 0, width)',
    replace: 'writer.putWide((own - low + 1) >>> 0, above >>> 0, width)',
    tests: packed,
  },
  {
    what: 'a row without a value has that of the row before',
    file: 'src/index/open-block.ts',
    find: '=== UNPACKED) return -1',
    replace: '=== UNPACKED) return this.placeOf(column, Math.max(0, row - 1))',
    tests: blocks,
  },
  {
    what: 'columns of a wide table share the bits that say where values are',
    file: 'src/index/open-block.ts',
    find: 'Math.ceil(columns / 32)',
    replace: '1',
    tests: ['test/index/open-block.test.ts'],
  },
  {
    what: 'a text of another part is given',
    file: 'src/index/block-reading.ts',
    find: '(firsts[part] as number) > number',
    replace: '(firsts[part] as number) >= number',
    tests: blocks,
  },
  {
    what: 'texts that begin alike are taken for the same',
    file: 'src/index/fences.ts',
    find: 'return compareBytes(bytes, places[place * 2 + 1] as number, places[place * 2 + 3] as number, other.bytes)',
    replace: 'return 0',
    tests: ['test/index/texts.test.ts'],
  },
  {
    what: 'the first rows of a value are not found where they begin within a block',
    file: 'src/index/sorted-rows.ts',
    find: 'const before = Math.max(0, reached - 1)',
    replace: 'const before = reached',
    tests: blocks,
  },
  {
    what: 'rows of a value are looked for in the first block that begins with it, and not in the next ones',
    file: 'src/index/sorted-rows.ts',
    find: 'const isOne = key.length === 1 || isAbove(reached)',
    replace: 'const isOne = true',
    tests: ['test/index/sorted-rows.test.ts'],
  },
  {
    what: 'the search for a key begins in the middle of a block, wherever the key should be',
    file: 'src/lake/first-place.ts',
    find: 'Math.min(high - 1, around.estimate)',
    replace: '(low + high) >>> 1',
    tests: ['test/index/sorted-rows.test.ts'],
  },
  {
    what: 'a pointer leads to the last row of its value',
    file: 'src/engine/duckdb/read-sorted-rows.ts',
    find: 'min(file_row_number)',
    replace: 'max(file_row_number)',
    tests: ['test/engine/hostile-names.test.ts'],
  },
  {
    what: 'what a pointer leads to is looked for from the beginning of the file',
    file: 'src/repository/blocked-rows.ts',
    find: 'Number(row[FIRST_ROW])',
    replace: '0',
    tests: ['test/repository/blocked-rows.test.ts'],
  },
  {
    what: 'what the order of a file does not decide is passed over',
    file: 'src/index/find-rows.ts',
    find: 'tests ??= testsOf(reading, others)',
    replace: 'tests ??= testsOf(reading, others.slice(1))',
    tests: blocks,
  },
  {
    what: 'the first way to rows is taken, however many it leaves to compare',
    file: 'src/repository/blocked-rows.ts',
    find: 'if (least <= FEW_COMPARED) return best',
    replace: 'return best',
    tests: ['test/repository/blocked-rows.test.ts'],
  },
  {
    what: 'rows of files that interleave come file by file',
    file: 'src/repository/merge-rows.ts',
    find: 'if (key !== undefined && own.compare(place, key) >= 0) continue',
    replace: 'if (key !== undefined) continue',
    tests: ['test/repository/merge-rows.test.ts', ...lists],
  },
  {
    what: 'a decimal of too many digits is packed as if a double held it',
    file: 'src/derive/packed-decimal.ts',
    find: 'if (digits > Number.MAX_SAFE_INTEGER) return -1',
    replace: '',
    tests: ['test/derive/packed-decimal.test.ts'],
  },
  {
    what: 'rows are sorted by keys instead of the digests of keys',
    file: 'src/engine/duckdb/number-keys.ts',
    find: 'ORDER BY sha256(key)',
    replace: 'ORDER BY key',
    tests: ['test/index/keyed/key-index.test.ts'],
  },
  {
    what: 'a process beside an ingest that is gone goes on',
    file: 'src/cli/commands/build-beside.ts',
    find: "process.on('disconnect', () => stop.abort())",
    replace: '',
    tests: ['test/cli/build-beside.test.ts'],
  },
  {
    what: 'blocks of other rows answer for these',
    file: 'src/index/block-file.ts',
    find: 'if (contents.source !== source)',
    replace: 'if (contents.source === undefined)',
    tests: derived,
  },
  {
    what: 'an index of another table answers for this one',
    file: 'src/index/keyed/key-file.ts',
    find: 'if (contents.table !== resource.name) throw',
    replace: "if (contents.table === '') throw",
    tests: derived,
  },
]
