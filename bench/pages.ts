import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dashboardTables } from './dashboard/table.ts'
import { type ExplorerCase, explorerTable } from './explorer/table.ts'
import { exportTable } from './export/table.ts'
import { graphqlTables } from './graphql/table.ts'
import { archiveTable } from './ingest/archive-table.ts'
import { ingestTables } from './ingest/table.ts'
import { keyedTable } from './keyed/table.ts'
import { largeTables } from './large/table.ts'
import { listsTable } from './lists/table.ts'
import { peersTables } from './peers/table.ts'
import { aboutSteps, figures, type ScalingResult, steps } from './scaling/table.ts'
import { seriesTables } from './series/table.ts'
import { changedSince } from './support/code.ts'
import { headOf, newestResult, type Result } from './support/results.ts'

/** Pages and sections that follow from the newest results of the benches. */

/** Returns the text of a section; empty without a result. */
function section<R extends Result<unknown>>(
  title: string,
  benches: readonly string[],
  table: (result: R) => string,
  about: string,
): string {
  const parts = benches
    .flatMap((bench) => newestResult<R>(bench) ?? [])
    .map((result) => `${headOf(result)}\n${ageOf(result)}\n${table(result)}\n`)
  return parts.length === 0 ? '' : `## ${title}\n\n${about}\n\n${parts.join('\n')}`
}

/** Returns the sentence about a result that is older than the code that it measured; empty for one of this code. */
export function ageOf({ bench, code }: Pick<Result<unknown>, 'bench' | 'code'>): string {
  const changed = changedSince(bench, code).map((folder) => `\`${folder}\``)
  return changed.length === 0
    ? ''
    : `**Older than the code**: changed since in ${changed.join(', ')} of \`src\`.\n`
}

const sections = () => [
  section(
    'Beside others',
    ['peers-S', 'peers-M', 'peers-L'],
    peersTables,
    `The columns are explained in [bench/README.md](../../bench/README.md#beside-others): *H* compares with a bare node:http server, *F* with raw
DuckDB, *O* with PostgreSQL and tables made for these requests. For *O* more is better. All responses were first compared
with SQL over the same files, and those of PostgreSQL with ours byte for byte.`,
  ),
  section(
    'Keys, other origins and the access log',
    ['keyed'],
    keyedTable,
    `One worker without a reply cache for each kind of server; they take turns. All responses were first compared with those of the open server.
A key has a rate and a quota. Ratios are those of requests a second to the open server, and of the server with keys to a bare node:http
server that returns the same bytes.`,
  ),
  section(
    'Dashboards by SQL',
    ['dashboard'],
    dashboardTables,
    `The ten panels of deploy/grafana for the last 30 days, by the wire of PostgreSQL, one worker; beside a PostgreSQL with the rows of the views as
tables with B-trees. All rows were first compared. Then eight callers of totals, alone and beside ten clients that repeat all panels.`,
  ),
  section(
    'Ingest',
    ['ingest'],
    ingestTables,
    `From gzip files to committed tables, by the built program as a process of its own, into a fresh lake: the middle of
several runs. Before anything was written down, the rows of every table and the sum of every amount column of every
reward_type were equal to those of the generator. *Times gunzip* is the time divided by that of decompressing the same
files and doing nothing else; on a busy machine it and the CPU seconds move less than shares/s. *Again* is a
second ingest of the same files, which stores nothing.`,
  ),
  section(
    'Ingest of the ledger archive',
    ['archive'],
    archiveTable,
    `CSV parts to committed tables, by the built program, into a fresh lake; the indexes that filters need are made afterwards. Counts, sums and a hash of every table were first compared with a plain DuckDB database that
was loaded from the same parts.`,
  ),
  section(
    'Filters and lookups of the ledger',
    ['lists'],
    listsTable,
    `Made by \`ledgerlake sample --l1\`: for each transaction four actors and rewards, a packet and a burn; a fifth as many accounts and
gateways. Over HTTP, 25 records a page, \`total_pages\` exact; times are those of one caller. Answers
were first compared with those of a plain DuckDB database that was loaded from the same archive. *Aim* is what the middle
time should not exceed. *Req/s to PG* are our requests a second divided by those of PostgreSQL with a B-tree for each selective filter, behind a server that
gives the same bytes, by 1, 16 and 64 callers: at least 1 is the aim. Statements, files and kilobytes are those of a request in the middle, asked for the first time.`,
  ),
  section(
    'Large',
    ['large'],
    largeTables,
    `Made in parts of some days, each of which had the counts and sums of the generator before its files were deleted. Totals and a sample of the pages
were first compared with SQL over the files. *H* compares with a bare node:http server that returns the same bytes. Memory is that of the server process after each case.`,
  ),
  section(
    'Series',
    ['series'],
    seriesTables,
    `In process, IoT shares; nothing is remembered. Every answer was first compared with that of plain SQL over the same files, which then took turns with ours. *Times* is
the time of plain SQL divided by ours, in the middle round; more is better. A month is all of its epochs. *All bytes* are the files of both tables of shares, their logs, the
index by hotspot and the sums.`,
  ),
  section(
    'GraphQL',
    ['graphql'],
    graphqlTables,
    `Pages have 100 nodes of nine fields. *Req/s to PostGraphile* are our requests a second divided by those of PostGraphile, *REST to it* those of REST for the
same records divided by ours. Responses were first compared. [bench/README.md](../../bench/README.md#graphql) has the tables and requests of PostGraphile.
Queries are those of one client. *To REST* is the time divided by that of a REST page of the same hundred records, asked in turns; a REST record is the
whole share with its manifest. The largest queries are those that come close to a limit: a larger one is refused.`,
  ),
  section(
    'Whole lists as files',
    ['export'],
    exportTable,
    `IoT reward shares over loopback, one after the other, from the built program. Rows and sums of each file were first compared with those
of DuckDB over the files of the lake. *Stored* columns are those of the table, which DuckDB's own COPY writes to a file beside it, on all
cores and from a process that does nothing else; *all* are those of an export: ids, tokens, prices, whole tokens, what was earned and USD too.
Seconds of the processor are those of the server, its engine included. *Longest hold* is how long the event loop was kept at most, *growth*
that of resident memory.`,
  ),
  section(
    'Explorer',
    ['explorer'],
    ({ cases }: Result<ExplorerCase>) => explorerTable(cases),
    `Pages in the system's Chromium with an empty cache, of a server with a worker for each core. The sums on each page were first compared with SQL over the same files.
KB are those of bodies as they are sent, compressed; the time is that from the beginning of the navigation to the first drawn chart.`,
  ),
]

/** Returns docs/reference/benchmarks.md. */
export function benchmarksPage(): string {
  const head = `# Benchmarks

Written by \`npm run reference\` from the newest files of \`bench/results\`. How to run and read the benches is in
[bench/README.md](../../bench/README.md). Compare ratios rather than times: the machine was small and not alone.
`
  return [head, ...sections().filter((text) => text !== '')].join('\n')
}

/** Returns docs/guide/scaling.md with its figures. */
export function scalingPage(): string {
  const text = readFileSync(fileURLToPath(new URL('../docs/guide/scaling.md', import.meta.url)), 'utf8')
  const scaling = newestResult<ScalingResult>('scaling')
  if (scaling === undefined) return text
  const whole = sectionReplaced(text, 'Figures', `${ageOf(scaling)}\n${figures(scaling)}`.trimStart())
  return sectionReplaced(whole, 'When to take which step', `${steps(scaling)}\n\n${aboutSteps(scaling)}`)
}

/** A page with other text below one of its headings. Errors: there is no such heading. */
function sectionReplaced(text: string, heading: string, content: string): string {
  const begin = text.indexOf(`\n## ${heading}\n`)
  if (begin < 0) throw new Error(`there is no section ${heading}`)
  const after = text.indexOf('\n## ', begin + 1)
  const rest = after < 0 ? '' : text.slice(after)
  return `${text.slice(0, begin)}\n## ${heading}\n\n${content}\n${rest}`
}
