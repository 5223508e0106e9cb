/** An engine that reads the lake by a Python program beside this file. */
export interface PythonEngine {
  readonly name: string
  readonly program: string
  readonly packages: readonly string[]
  /** Artifacts of Maven beside the packages. */
  readonly jars?: readonly string[]
  /** Engine of `ledgerlake views --for` whose views it makes. */
  readonly views?: 'spark' | 'clickhouse'
  /** Columns whose least and greatest values it is known to round. */
  readonly rounds?: readonly string[]
  readonly remark: string
}

const DELTA_RS = 'deltalake==1.6.6'
const DELTA_FOR_SPARK = [
  'delta-spark_4.2_2.13',
  'delta-storage',
  'delta-kernel-api',
  'delta-kernel-defaults',
  'delta-kernel-unitycatalog',
]

/** Reads the log and the files by itself; the others are compared with it. */
export const expectedPackages = ['pyarrow==26.0.1']

export const pythonEngines: readonly PythonEngine[] = [
  {
    ...{ name: 'delta-rs', program: 'delta_rs.py', packages: [DELTA_RS, 'pyarrow==26.0.1'] },
    remark: 'its own `QueryBuilder`',
  },
  {
    ...{ name: 'Polars', program: 'polars_frames.py', packages: ['polars==2.1.0', DELTA_RS] },
    remark: '`scan_delta`; the sum of no value is 0, not null',
  },
  {
    ...{ name: 'DuckDB and its extension', program: 'duckdb_extension.py' },
    packages: ['duckdb==1.4.4', 'duckdb-ext-delta==1.4.4.20260205'],
    remark: '`delta_scan`; an extension is for one version of DuckDB, and a newer DuckDB may have none yet',
  },
  {
    ...{ name: 'Spark', program: 'spark_sql.py', packages: ['pyspark==4.2.0'], views: 'spark' },
    jars: DELTA_FOR_SPARK.map((name) => `io.delta:${name}:4.4.0`),
    remark: 'delta-spark 4.4.0; with `snapshotPartitions` 2, since 50 make small tables slow',
  },
  {
    ...{ name: 'DataFusion', program: 'data_fusion.py', packages: ['datafusion==55.0.0', DELTA_RS] },
    remark: 'by the table provider of delta-rs',
  },
  {
    ...{ name: 'Daft', program: 'daft_frames.py', packages: ['daft==0.7.26', DELTA_RS] },
    remark: '`read_deltalake`',
  },
  {
    ...{ name: 'chDB', program: 'click_house.py', packages: ['chdb==4.4.0'], views: 'clickhouse' },
    remark: '`deltaLakeLocal`; absolute paths only below the folder that it runs in',
  },
]

/** Trino, where there is one; the program speaks to its coordinator. */
export const trinoEngine: PythonEngine = {
  ...{ name: 'Trino', program: 'trino_sql.py', packages: ['trino==0.340.0'] },
  rounds: ['reported_at'],
  remark: 'rounds instants to milliseconds, in `reported_at` too; the views have it exact',
}
