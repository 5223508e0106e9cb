import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ExplorerCase, explorerTable } from './explorer/table.ts'
import { type ExportCase, exportTable } from './export/table.ts'
import { type GraphqlCase, graphqlTable } from './graphql/table.ts'
import { type ArchiveCase, archiveTable } from './ingest/archive-table.ts'
import { type IngestCase, ingestTables } from './ingest/table.ts'
import { type LargeResult, largeTables } from './large/table.ts'
import { type ListCase, listsTable } from './lists/table.ts'
import { type PeersResult, peersTables } from './peers/table.ts'
import { aboutSteps, figures, type ScalingResult, steps } from './scaling/table.ts'
import { type SeriesResult, seriesTables } from './series/table.ts'
import { headOf, newestResult, newestResultIfAny, type Result } from './support/results.ts'

/** Writes docs/reference/benchmarks.md, and two sections of docs/guide/scaling.md, from the newest result of each bench. */

const ingest = newestResult<IngestCase>('ingest')
const archive = newestResult<ArchiveCase>('archive')
const lists = newestResult<ListCase>('lists')
const graphql = newestResult<GraphqlCase>('graphql')
const exported = newestResult<ExportCase>('export')

const peers = ['S', 'M', 'L'].flatMap((size) => newestResultIfAny<PeersResult>(`peers-${size}`) ?? [])

const explorer = newestResultIfAny<Result<ExplorerCase>>('explorer')

const series = newestResultIfAny<SeriesResult>('series')

const large = newestResultIfAny<LargeResult>('large')

const page = `# Benchmarks

Written by \`bench/write-table.ts\` from the newest files of \`bench/results\`. How to run and read the benches is in
[bench/README.md](../../bench/README.md). Compare ratios rather than times: the machine was small and not alone.

## Beside others

The columns are explained in [bench/README.md](../../bench/README.md#beside-others): *H* compares with a bare node:http server, *F* with raw
DuckDB, *O* with PostgreSQL and tables made for these requests. For *O* more is better. All responses were first compared
with SQL over the same files, and those of PostgreSQL with ours byte for byte.

${peers.map((result) => `${headOf(result)}\n\n${peersTables(result)}`).join('\n\n')}

## Ingest

${headOf(ingest)}

From gzip files to committed tables, by the built program as a process of its own, into a fresh lake: the middle of
several runs. Before anything was written down, the rows of every table and the sum of every amount column of every
reward_type were equal to those of the generator. *Times gunzip* is the time divided by that of decompressing the same
files and doing nothing else; on a busy machine it and the CPU seconds move less than shares/s. *Again* is a
second ingest of the same files, which stores nothing.

${ingestTables(ingest)}

## Ingest of the ledger archive

${headOf(archive)}

CSV parts to committed tables, by the built program, into a fresh lake; the indexes that filters need are made afterwards. Counts, sums and a hash of every table were first compared with a plain DuckDB database that
was loaded from the same parts.

${archiveTable(archive)}

## Filters and lookups of the ledger

${headOf(lists)}

Made by \`ledgerlake sample --l1\`: for each transaction four actors and rewards, a packet and a burn; a fifth as many accounts and
gateways. Over HTTP, 25 records a page, \`total_pages\` exact; times are those of one caller. Answers
were first compared with those of a plain DuckDB database that was loaded from the same archive. *Aim* is what the middle
time should not exceed. *Req/s to PG* are our requests a second divided by those of PostgreSQL with a B-tree for each selective filter, behind a server that
gives the same bytes, by 1, 16 and 64 callers: at least 1 is the aim. Statements, files and kilobytes are those of a request in the middle, asked for the first time.

${listsTable(lists)}

${large === undefined ? '' : largePart(large)}
${series === undefined ? '' : seriesPart(series)}
## GraphQL

${headOf(graphql)}

One caller, one query at a time, over HTTP. Before anything was timed, the rows were compared with those of REST pages.
*To REST* is the time divided by that of a REST page of the same hundred records, asked in turns; a REST record is the
whole share with its manifest. The largest queries are those that come close to a limit: a larger one is refused.

${graphqlTable(graphql)}

## Whole lists as files

${headOf(exported)}

IoT reward shares over loopback, one after the other, from the built program. Rows and sums of each file were first compared with those
of DuckDB over the files of the lake. *Stored* columns are those of the table, which DuckDB's own COPY writes to a file beside it, on all
cores and from a process that does nothing else; *all* are those of an export: ids, tokens, prices, whole tokens, what was earned and USD too.
Seconds of the processor are those of the server, its engine included. *Longest hold* is how long the event loop was kept at most, *growth*
that of resident memory.

${exportTable(exported)}
${explorer === undefined ? '' : explorerPart(explorer)}`

writeFileSync(fileURLToPath(new URL('../docs/reference/benchmarks.md', import.meta.url)), page)

const scaling = newestResultIfAny<ScalingResult>('scaling')
if (scaling !== undefined) {
  const path = fileURLToPath(new URL('../docs/guide/scaling.md', import.meta.url))
  const whole = sectionReplaced(readFileSync(path, 'utf8'), 'Figures', figures(scaling))
  writeFileSync(
    path,
    sectionReplaced(whole, 'When to take which step', `${steps(scaling)}\n\n${aboutSteps(scaling)}`),
  )
}

/** A page with other text below one of its headings. Errors: there is no such heading. */
function sectionReplaced(text: string, heading: string, content: string): string {
  const begin = text.indexOf(`\n## ${heading}\n`)
  if (begin < 0) throw new Error(`there is no section ${heading}`)
  const after = text.indexOf('\n## ', begin + 1)
  const rest = after < 0 ? '' : text.slice(after)
  return `${text.slice(0, begin)}\n## ${heading}\n\n${content}\n${rest}`
}

function seriesPart(result: SeriesResult): string {
  return `## Series

${headOf(result)}

In process, IoT shares; nothing is remembered. Every answer was first compared with that of plain SQL over the same files, which then took turns with ours. *Times* is
the time of plain SQL divided by ours, in the middle round; more is better. A month is all of its epochs. *All bytes* are the files of both tables of shares, their logs, the
index by hotspot and the sums.

${seriesTables(result)}
`
}

function largePart(result: LargeResult): string {
  return `## Large

${headOf(result)}

Made in parts of some days, each of which had the counts and sums of the generator before its files were deleted. Totals and a sample of the pages
were first compared with SQL over the files. *H* compares with a bare node:http server that returns the same bytes. Memory is that of the server process after each case.

${largeTables(result)}
`
}

function explorerPart(result: Result<ExplorerCase>): string {
  return `
## Explorer

${headOf(result)}

Pages in the system's Chromium with an empty cache, of a server with a worker for each core. The sums on each page were first compared with SQL over the same files.
KB are those of bodies as they are sent, compressed; the time is that from the beginning of the navigation to the first drawn chart.

${explorerTable(result.cases)}
`
}
