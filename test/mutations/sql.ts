import type { Fault } from './fault.ts'

/** SQL of analysts: what the gate lets through, and what the joined views add up. */
export const sqlFaults: readonly Fault[] = [
  {
    what: 'a function in FROM is judged as one that computes a value',
    file: 'src/sql/gate.ts',
    find: 'if (isTable ? tableFunctions.includes(known) : allowedFunctions.has(known)) return',
    replace: 'if (isTable || allowedFunctions.has(known)) return',
    tests: ['test/sql/gate.test.ts'],
  },
  {
    what: 'a WITH query may have the name of a file',
    file: 'src/sql/gate.ts',
    find: '!/^\\w+$/.test(name) || ',
    replace: '',
    tests: ['test/sql/gate.test.ts'],
  },
  {
    what: 'a WITH query may have the name of a view of the engine',
    file: 'src/sql/gate.ts',
    find: ' || reserved.has(name.toLowerCase())',
    replace: '',
    tests: ['test/sql/gate.test.ts'],
  },
  {
    what: 'what stands deeper in the tree is not looked at',
    file: 'src/sql/gate.ts',
    find: 'if (!Array.isArray(value)) yield value as Node',
    replace: 'if (!Array.isArray(value) && open.length < 3) yield value as Node',
    tests: ['test/sql/gate.test.ts'],
  },
  {
    what: 'files beyond the live ones can be read underneath',
    file: 'src/engine/duckdb/confined-session.ts',
    find: 'await run(sql`SET enable_external_access = false`)',
    replace: '',
    tests: ['test/sql/gate.test.ts'],
  },
  {
    what: 'the earlier of two manifests of a file counts',
    file: 'src/sql/reward-view.ts',
    find: 'length(f.written_at) DESC, ',
    replace: 'length(f.written_at) ASC, ',
    tests: ['test/sql/reward-views.test.ts'],
  },
  {
    what: 'a hotspot of two assets has its shares twice',
    file: 'src/sql/reward-view.ts',
    find: ' GROUP BY ecc_key`',
    replace: ' GROUP BY ecc_key, asset_id`',
    tests: ['test/sql/reward-views.test.ts'],
  },
  {
    what: 'Spark multiplies decimals that are wider than a product may be',
    file: 'src/sql/dialects/spark-views.ts',
    find: 'DECIMAL(14,',
    replace: 'DECIMAL(28,',
    tests: ['test/sql/views-script.test.ts'],
  },
  {
    what: 'a path ends the literal of ClickHouse that it stands in',
    file: 'src/sql/dialects/view-dialect.ts',
    find: "text.replace(/[\\\\']/g, '\\\\$&')",
    replace: 'text',
    tests: ['test/sql/views-script.test.ts'],
  },
  {
    what: 'a column that a table lacks is asked for',
    file: 'src/sql/views-script.ts',
    find: 'known?.has(name) ? ',
    replace: 'known === undefined || known.has(name) ? ',
    tests: ['test/sql/views-script.test.ts'],
  },
  {
    what: 'what a v2 radio was paid is not earned',
    file: 'src/derive/flat-columns.ts',
    find: 'const { earned = [] } = resource',
    replace:
      "const earned = Object.values(resource.totals ?? {}).filter((of): of is string => typeof of === 'string')",
    tests: ['test/sql/reward-views.test.ts'],
  },
  {
    what: 'a 128-bit integer becomes a double in Parquet',
    file: 'src/sql/result-select.ts',
    find: "type.replace(/\\bU?HUGEINT\\b/g, 'DECIMAL(38,0)')",
    replace: 'type',
    tests: ['test/sql/session.test.ts'],
  },
  {
    what: 'rows that fail half-way end as if they were all',
    file: 'src/engine/duckdb/confined-session.ts',
    find: 'if (!isWhole) await this.#failAgain(select, width)',
    replace: '',
    tests: ['test/sql/session.test.ts'],
  },
]
