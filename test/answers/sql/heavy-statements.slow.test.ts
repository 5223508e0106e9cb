import { beforeAll, describe, expect, it } from 'vitest'
import type { StatementRunner } from '../../../src/answers/sql/process/statement-runner.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { type SqlService, servedSql } from '../../../src/services/sql.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'

/** Time for a statement, as a request has; what ends sooner, ends for its memory. */
const LONGEST_MS = 5000

let sql: SqlService
let session: StatementRunner

beforeAll(async () => {
  const lake = await smallLake()
  sql = servedSql(readSettings({}, { lake, engine_memory_mb: '512', engine_threads: '2' }))
  session = await sql.open(await new Lake(lake).latest())
  return async () => {
    await session.close()
    await sql.close()
  }
})

const firstRows = (statement: string, signal?: AbortSignal) =>
  session.firstRows({ statement, rows: 10, characters: 50_000 }, signal)

/** Each would take gigabytes, or hours. */
const statements = [
  "select repeat('x', 1500000000)",
  'select array_slice(range(500000000), 1, 2)',
  'select len(array_agg(x)) from (select unnest(range(100000000)) x)',
  "select printf('%2000000000d', 1)",
  "select levenshtein(repeat('a', 1000000), repeat('b', 1000000))",
  "select damerau_levenshtein(repeat('a', 20000), repeat('b', 20000))",
  "select editdist3(repeat('a', 1000000), repeat('b', 1000000))",
  "select jaro_similarity(repeat('ab', 1000000), repeat('ba', 1000000))",
  "select jaro_winkler_similarity(repeat('ab', 1000000), repeat('ba', 1000000))",
  "select format('{:2000000000d}', 1)",
  "select rpad('a', 2000000000, 'b')",
  "select lpad('a', 2000000000, 'b')",
  'select len(list_resize([1], 1000000000, 2))',
  "select len(string_agg(repeat('x', 1000), ',')) from range(10000000)",
  "select len(regexp_replace(repeat('a', 10000000), 'a', repeat('b', 1000), 'g'))",
  "select len(replace(repeat('a', 10000000), 'a', repeat('b', 1000)))",
  "select len(translate(repeat('a', 100000000), 'a', 'b') || repeat('c', 1000000000))",
  "select len(list_transform(range(100000000), lambda x: repeat('y', 100)))",
  'select len(to_json(range(100000000))::varchar)',
  "select len(array_to_string(range(200000000), ','))",
  "with recursive t(n, s) as (select 1, repeat('x', 10) union all select n + 1, s || s from t) select max(len(s)) from t",
  'with recursive t(n) as (select 1::hugeint union all select n + 1 from t) select max(n) from t',
  'select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 7 = 3',
  "select octet_length(repeat('x', 1000000000)::blob)",
  "select bit_count(repeat('1', 1000000000)::bit)",
  "select md5(repeat('x', 2000000000))",
  "select hex(repeat('x', 900000000))",
  'select len(repeat([1, 2, 3], 300000000))',
  'select map(range(50000000), range(50000000))',
  "select len(string_split(repeat('a,', 100000000), ','))",
  'select sum(len(w)) from (select array_agg(i) over (order by i) w from range(200000) t(i))',
  'select factorial(20) * len(list_sort(list_reverse(range(300000000))))',
  'select len(flatten(list_transform(range(100000), lambda x: range(100000))))',
  'select count(*) from (select unnest(range(2000000000)))',
  'select len(generate_series(1, 1000000000))',
  'select len(list_zip(range(100000000), range(100000000)))',
  'select count(distinct s) from (select repeat(i::varchar, 100000) s from range(1000000) t(i))',
  "select len(regexp_extract_all(repeat('ab', 50000000), 'a'))",
  "select len(list_cosine_similarity(range(10)::double[], range(10)::double[])::varchar || repeat('é', 800000000))",
]

describe('a statement that exhausts memory or time:', () => {
  it.each(statements)('%s ends with a sentence, and the next statement answers', async (statement) => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(new Error('the deadline')), LONGEST_MS)
    const sentence = await firstRows(statement, stop.signal).then(
      () => '',
      (error: Error) => error.message,
    )
    clearTimeout(timer)
    expect(sentence).toMatch(
      /^the deadline$|[Mm]emory|[Oo]ut of [Rr]ange|exceeds? |maximum|larger than|too (large|big|long)/,
    )
    expect((await firstRows('select 1')).rows).toEqual([['1']])
  })
})
