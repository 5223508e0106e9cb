/** Blocks of guides that the tests do not run, with the reason. */
export interface NotRun {
  readonly guide: string
  /** Text of the one block that is meant; without it the whole page. */
  readonly block?: string
  readonly why: string
}

export const notRun: readonly NotRun[] = [
  { guide: 'install.md', why: 'installs for the whole system, as root or with Docker' },
  { guide: 'compat-relay.md', why: 'test/docs/compat-relay.slow.test.ts runs it over data/sample' },
  { guide: 'conformance.md', why: 'test/spec and test/conformance ask servers the corpus' },
  { guide: 'what-a-task-takes.md', why: 'its year of 3,000 hotspots takes minutes to make' },
  { guide: 'scaling.md', why: 'test/cli/several-servers.slow.test.ts and bench/scaling start such servers' },
  {
    guide: 'bucket.md',
    why: 'test/cli/lake-in-bucket.slow.test.ts and npm run test:long -- bucket-lake have buckets',
  },
  { guide: 'trino.md', why: 'npm run test:long -- trino has a cluster, which takes a download of 0.9 GB' },
  {
    guide: 'syncing.md',
    why: 'whoever reads the buckets pays; test/cli/sync.test.ts and npm run test:long -- sync have servers of their own',
  },
  { guide: 'assistants.md', block: 'claude mcp add', why: 'it configures another program' },
  { guide: 'ingesting.md', block: 'aws s3 cp', why: 'whoever reads the bucket pays' },
  {
    guide: 'ingesting.md',
    block: 'retry-rejects',
    why: 'the sample has nothing that is refused; test/cli/rejects.test.ts has',
  },
  { guide: 'ingesting.md', block: 'makers.ndjson', why: 'the files are those of another service' },
  { guide: 'ingesting.md', block: 'blockchain-etl-export', why: 'the archive has more than a terabyte' },
]

export function reasonNotToRun(guide: string, text: string): string | undefined {
  return notRun.find((one) => one.guide === guide && text.includes(one.block ?? ''))?.why
}

/** Blocks that are neither run nor the output of one that is, with what holds them to the truth, or why nothing has to. */
export const notCompared: readonly NotRun[] = [
  {
    guide: '../../README.md',
    block: 'In it:',
    why: 'test/cli/npm-start.slow.test.ts has the first lines of a server',
  },
  { guide: 'analyst.md', block: 'iot_rewards', why: 'test/docs/analyst.test.ts runs every statement' },
  { guide: 'analyst.md', block: 'FROM ', why: 'test/docs/analyst.test.ts runs every statement' },
  { guide: 'assistants.md', block: 'mcpServers', why: 'it is the settings file of another program' },
  { guide: 'assistants.md', block: '"snapshot"', why: 'test/doors/mcp/answers.test.ts has such a reply' },
  { guide: 'assistants.md', block: '"rows"', why: 'test/doors/mcp/answers.test.ts has such a reply' },
  { guide: 'assistants.md', block: '"error"', why: 'test/doors/mcp/messages.test.ts has such an error' },
  {
    guide: 'conformance.md',
    block: 'passed',
    why: 'test/conformance/wrong-servers.slow.test.ts has such a report',
  },
  { guide: 'conformance.md', block: '"title"', why: 'it is a case of test/spec/corpus, cut' },
  { guide: 'exporting.md', block: 'read_parquet', why: 'a reader of another make runs it on a made file' },
  { guide: 'operating.md', block: 'Days, by', why: 'test/cli/coverage-calendar.test.ts has such a calendar' },
  {
    guide: 'operating.md',
    block: 'data format',
    why: 'test/operate/doctor/doctor.test.ts has such findings',
  },
  { guide: 'scaling.md', block: 'HAProxy', why: 'test/deploy/haproxy.test.ts compares it with the file' },
  { guide: 'scheduling.md', block: '* * *', why: 'it is a table of another program' },
  { guide: 'serving.md', block: 'proxy_pass', why: 'it is the settings file of another program' },
  { guide: 'serving.md', block: '"lake"', why: 'test/cli/config.test.ts reads such a file' },
  { guide: 'serving.md', block: 'setting ', why: 'test/cli/config.test.ts has such a table' },
  {
    guide: 'statements.md',
    block: 'sold on',
    why: 'test/answers/statement/statement.test.ts reads such lines',
  },
  { guide: 'syncing.md', block: 'to fetch', why: 'test/cli/sync.test.ts has such an estimate' },
]
