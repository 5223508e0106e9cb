import type { Fault } from './fault.ts'

/** Whole lists as files: what they hold, and how it is held on the way. */
export const exportFaults: readonly Fault[] = [
  {
    what: 'an address of a text is taken for one behind the text before',
    file: 'src/engine/duckdb/vectors-of-chunk.ts',
    find: 'words[row * 4 + 2] === low + length',
    replace: 'words[row * 4 + 2] !== low',
    tests: ['test/export/vectors.test.ts'],
  },
  {
    what: 'a null keeps what the engine left in its place',
    file: 'src/engine/duckdb/vectors-of-chunk.ts',
    find: 'if (valid === undefined) return words',
    replace: 'if (valid === undefined || size < 4) return words',
    tests: ['test/export/vectors.test.ts'],
  },
  {
    what: 'times that differ in their upper half are one',
    file: 'src/derive/vector.ts',
    find: 'for (let word = 2; word < words.length; word += 1)',
    replace: 'for (let word = 2; word < words.length; word += 2)',
    tests: ['test/export/vectors.test.ts'],
  },
  {
    what: 'a sum loses what is carried over',
    file: 'src/export/wide-arithmetic.ts',
    find: 'carry = sum > 0xffff_ffff ? 1 : 0',
    replace: 'carry = 0',
    tests: ['test/export/vectors.test.ts'],
  },
  {
    what: 'a fraction keeps its last zeros',
    file: 'src/export/formats/digits.ts',
    find: 'while (end > first + least && digits[end - 1] === ZERO) end -= 1',
    replace: '',
    tests: ['test/export/vectors.test.ts'],
  },
  {
    what: 'USD of any price are told, whatever their digits',
    file: 'src/derive/flat-columns.ts',
    find: 'return price < PRICE_LIMIT',
    replace: 'return price <= PRICE_LIMIT',
    tests: ['test/export/same-however-read.slow.test.ts'],
  },
  {
    what: 'a quote stands in JSON as it is',
    file: 'src/export/formats/ndjson.ts',
    find: 'byte === 0x22 ||',
    replace: '',
    tests: ['test/export/lines.test.ts'],
  },
  {
    what: 'empty text is a null in CSV',
    file: 'src/export/formats/csv.ts',
    find: 'isForEmpty: true',
    replace: 'isForEmpty: false',
    tests: ['test/export/lines.test.ts'],
  },
  {
    what: 'a constant of the batch before is written again',
    file: 'src/export/formats/parquet.ts',
    find: 'this.#last?.value !== value ||',
    replace: 'this.#last === undefined ||',
    tests: ['test/export/formats.test.ts'],
  },
  {
    what: 'a column of Arrow keeps the value of the batch before',
    file: 'src/export/formats/arrow.ts',
    find: 'value !== last ||',
    replace: '',
    tests: ['test/export/formats.test.ts'],
  },
  {
    what: 'a list that is read slowly takes a connection from others',
    file: 'src/engine/duckdb/connection-pool.ts',
    find: 'const connection = await own.takeOwn()',
    replace: 'const { connection } = await own.take(signal)',
    tests: ['test/engine/contract/row-batches.test.ts'],
  },
  {
    what: 'a file that lacks rows looks whole',
    file: 'src/export/export-list.ts',
    find: 'if (sent !== list.total)',
    replace: 'if (sent > list.total)',
    tests: ['test/export/streams.test.ts'],
  },
]
