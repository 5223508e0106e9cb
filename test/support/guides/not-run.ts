type Exception = readonly [guide: string, block: string, why: string]

/** Blocks of guides that the tests do not run, with the reason; the text of one block, or the whole page. */
const exceptions: readonly Exception[] = [
  ['install.md', '', 'installs for the whole system, as root or with Docker'],
  ['compat-relay.md', '', 'test/docs/compat-relay.slow.test.ts runs it over data/sample'],
  ['conformance.md', '', 'test/spec and test/conformance ask servers the corpus'],
  ['what-a-task-takes.md', '', 'its year of 3,000 hotspots takes minutes to make'],
  ['scaling.md', '', 'test/cli/several-servers.slow.test.ts and bench/scaling start such servers'],
  ['bucket.md', '', 'test/cli/lake-in-bucket.slow.test.ts and npm run test:long -- bucket-lake have buckets'],
  ['trino.md', '', 'npm run test:long -- trino has a cluster, which takes a download of 0.9 GB'],
  [
    'syncing.md',
    '',
    'whoever reads the buckets pays; test/cli/sync.test.ts and npm run test:long -- sync have servers of their own',
  ],
  ['embedding.md', '', 'test/library/examples.slow.test.ts runs such programs from the installed package'],
  ['analyst.md', '/v1/net/sql', 'it needs a key with the feature Sql; test/doors/rest/sql.test.ts has one'],
  ['assistants.md', 'claude mcp add', 'it configures another program'],
  ['my-hotspots.md', '--link', 'it would lock the lake; test/cli/keys.test.ts makes such a link'],
  ['ingesting.md', 'aws s3 cp', 'whoever reads the bucket pays'],
  ['ingesting.md', 'retry-rejects', 'the sample has nothing that is refused; test/cli/rejects.test.ts has'],
  ['ingesting.md', 'makers.ndjson', 'the files are those of another service'],
  ['ingesting.md', 'blockchain-etl-export', 'the archive has more than a terabyte'],
]

export const notRun = exceptions.map(named)

export function reasonNotToRun(guide: string, text: string): string | undefined {
  return notRun.find((one) => one.guide === guide && text.includes(one.block))?.why
}

/** Blocks that are neither run nor the output of one that is, with what holds them to the truth, or why nothing has to. */
export const notCompared = (
  [
    ['../../README.md', 'In it:', 'test/cli/npm-start.slow.test.ts has the first lines of a server'],
    ['analyst.md', 'DESCRIBE', 'test/docs/analyst.test.ts runs every statement'],
    ['analyst.md', 'iot_rewards', 'test/docs/analyst.test.ts runs every statement'],
    ['analyst.md', 'FROM ', 'test/docs/analyst.test.ts runs every statement'],
    ['assistants.md', 'mcpServers', 'it is the settings file of another program'],
    ['assistants.md', '"snapshot"', 'test/doors/mcp/answers.test.ts has such a reply'],
    ['assistants.md', '"rows"', 'test/doors/mcp/answers.test.ts has such a reply'],
    ['assistants.md', '"error"', 'test/doors/mcp/messages.test.ts has such an error'],
    ['conformance.md', 'passed', 'test/conformance/wrong-servers.slow.test.ts has such a report'],
    ['conformance.md', '"title"', 'it is a case of test/spec/corpus, cut'],
    ['exporting.md', 'read_parquet', 'a reader of another make runs it on a made file'],
    ['operating.md', 'Days, by', 'test/cli/coverage-calendar.test.ts has such a calendar'],
    ['operating.md', 'data format', 'test/operate/doctor/doctor.test.ts has such findings'],
    ['scaling.md', 'HAProxy', 'test/deploy/haproxy.test.ts compares it with the file'],
    ['scheduling.md', '* * *', 'it is a table of another program'],
    ['serving.md', 'proxy_pass', 'it is the settings file of another program'],
    ['serving.md', '"lake"', 'test/cli/config.test.ts reads such a file'],
    ['serving.md', 'setting ', 'test/cli/config.test.ts has such a table'],
    ['statements.md', 'bought DAY', 'test/answers/statement/ledger.test.ts reads such lines'],
    ['statements.md', 'HNT,EUR', 'test/answers/statement/own-prices.test.ts reads such lines'],
    ['syncing.md', 'to fetch', 'test/cli/sync.test.ts has such an estimate'],
  ] as readonly Exception[]
).map(named)

function named([guide, block, why]: Exception) {
  return { guide, block, why }
}
