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
    why: 'test/cli/lake-in-bucket.slow.test.ts and npm run test:bucket-lake have buckets',
  },
  { guide: 'trino.md', why: 'npm run test:trino has a cluster, which takes a download of 0.9 GB' },
  {
    guide: 'syncing.md',
    why: 'whoever reads the buckets pays; test/cli/sync.test.ts and npm run test:sync have servers of their own',
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
