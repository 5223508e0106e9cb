import type { ClientProgram } from '../clients/run-client.ts'

/** What programs print of the answers of a server: a name and a value. Some ask for a part only. */
export const expectedAnswers = {
  exact: '36893488147419103233',
  bound: '18446744073709551617.0001',
  null: 'None',
  text: "é☃'",
  bytes: '00ff275c',
  instant: '2025-02-01T00:00:00.000007+00:00',
  day: '2025-02-28',
  array: '1 None 3',
  /** Sum of 0 to 4,999, read whole, and of 0 to 999, read in pages of 100. */
  ...{ rows: '12497500', paged: '499500' },
  /** Bytes of three lines. */
  copied: '12',
  /** States of errors: a write in a read-only transaction, and a cancelled statement. */
  ...{ refused: '25006', cancelled: '57014' },
  after: '1',
  /** What tools read of the catalog. */
  ...{ lists: 'True', typed: 'True', commented: 'True', described: 'True', counted: 'True' },
} as const

export interface PostgresClient extends ClientProgram {
  readonly answers: readonly (keyof typeof expectedAnswers)[]
}

const python = (packages: string) => ({
  needs: ['python3'],
  prepare: ['python3 -m venv venv', `venv/bin/pip install --quiet ${packages}`],
})
const numbers = ['exact', 'bound', 'null'] as const
const values = [...numbers, 'text', 'bytes', 'array', 'rows'] as const
const ends = ['refused', 'cancelled', 'after'] as const
const moments = ['instant', 'day'] as const

/** In C, TypeScript, Python, Go, Java, Rust and R. */
export const postgresClients: readonly PostgresClient[] = [
  {
    ...{ name: 'psql', needs: ['psql'], program: ['psql.sh.txt', 'main.sh'], prepare: [] },
    run: 'sh main.sh',
    answers: ['exact', 'null', 'text', 'day', 'rows', 'copied', 'refused', 'lists', 'commented', 'described'],
  },
  {
    ...{ name: 'node-postgres', needs: ['npm'], program: ['node-postgres.mjs.txt', 'main.mjs'] },
    prepare: ['npm install --silent --no-audit --no-fund --no-save pg@8.16.3 pg-cursor@2.15.3'],
    run: 'node main.mjs',
    answers: [...values, 'paged', ...ends],
  },
  ...(['text', 'binary'] as const).map(
    (format): PostgresClient => ({
      ...{ ...python('psycopg[binary]==3.3.9'), name: `psycopg ${format}` },
      program: ['psycopg.py.txt', 'main.py'],
      run: `venv/bin/python main.py ${format}`,
      answers: [...values, ...moments, 'paged', 'copied', ...ends],
    }),
  ),
  {
    ...{ ...python('asyncpg==0.32.0'), name: 'asyncpg', program: ['asyncpg.py.txt', 'main.py'] },
    run: 'venv/bin/python main.py',
    answers: [...values, ...moments, 'paged', ...ends],
  },
  {
    ...{ ...python('sqlalchemy==2.1.9 psycopg2-binary==2.9.13'), name: 'SQLAlchemy' },
    program: ['sqlalchemy.py.txt', 'main.py'],
    run: 'venv/bin/python main.py',
    answers: ['bound', 'lists', 'typed', 'commented', 'described', 'counted'],
  },
  {
    ...python('pyodbc==5.5.0'),
    ...{ name: 'ODBC', needs: ['python3', 'isql'], program: ['odbc.py.txt', 'main.py'] },
    run: 'venv/bin/python main.py',
    answers: [
      ...numbers,
      'text',
      'bytes',
      'day',
      'rows',
      'paged',
      'refused',
      'lists',
      'typed',
      'described',
      'after',
    ],
  },
  {
    ...{ ...python('adbc-driver-postgresql==1.13.0 pyarrow==18.1.0'), name: 'ADBC' },
    program: ['adbc.py.txt', 'main.py'],
    run: 'venv/bin/python main.py',
    answers: ['exact', 'null', 'text', 'bytes', ...moments, 'array', 'rows', 'typed', 'lists'],
  },
  {
    ...python('duckdb==1.5.5 duckdb-extension-postgres-scanner==1.5.5'),
    ...{ name: 'DuckDB', program: ['duckdb.py.txt', 'main.py'] },
    run: 'venv/bin/python main.py $(find venv -name postgres_scanner.duckdb_extension)',
    answers: ['exact', 'lists', 'counted'],
  },
  {
    ...{ name: 'pgx', needs: ['go'], program: ['pgx.go.txt', 'main.go'] },
    prepare: ['go mod init asks', 'go get github.com/jackc/pgx/v5@v5.7.2'],
    run: 'go run .',
    answers: [...numbers, 'text', 'bytes', 'rows', ...moments, ...ends],
  },
  {
    ...{ name: 'pgjdbc', needs: ['javac', 'mvn'], program: ['Jdbc.java.txt', 'Jdbc.java'] },
    prepare: [
      'mvn -q -B dependency:copy -Dartifact=org.postgresql:postgresql:42.7.4 -DoutputDirectory=. -Dmdep.stripVersion=true',
      'javac Jdbc.java',
    ],
    run: 'java -cp .:postgresql.jar Jdbc',
    answers: [...numbers, 'text', ...moments, 'paged', ...ends, 'lists', 'commented'],
  },
  {
    ...{ name: 'tokio-postgres', needs: ['cargo'], program: ['tokio-postgres.rs.txt', 'src/main.rs'] },
    files: {
      'Cargo.toml':
        '[package]\nname = "asks"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ntokio = { version = "1", features = ["rt-multi-thread", "macros", "time"] }\ntokio-postgres = "0.7"\nrust_decimal = { version = "1", features = ["db-tokio-postgres"] }\n',
    },
    prepare: ['cargo build -q'],
    run: 'cargo run -q',
    answers: [...values, ...ends],
  },
  {
    ...{ name: 'RPostgreSQL', needs: ['Rscript'], program: ['dbi.R.txt', 'main.R'], prepare: [] },
    run: 'Rscript main.R',
    answers: ['exact', 'null', 'day', 'rows', 'lists', 'after'],
  },
]
