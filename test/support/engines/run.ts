import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { program, runToEnd } from '../../../bench/support/program.ts'
import { run } from '../bring.ts'
import type { Found } from './compare.ts'
import { embeddedVersion, type MeasuredTable, viewColumns } from './job.ts'

const SCHEMA = 'ledgerlake_views'

/** What every engine reads. */
export interface Job {
  readonly folder: string
  readonly lake: string
  readonly tables: Readonly<Record<string, MeasuredTable>>
}

/** What one engine needs beside it. */
export interface Own {
  /** Statements of its views, by `ledgerlake views --for`, with flags; undefined for one without views. */
  readonly views?: readonly string[] | undefined
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** The folder with the rows of views that a program has written. */
export const viewsFolder = (job: Job, name: string) => join(job.folder, name, 'views')

/** Runs a program beside this file over a job. Errors: Error with the end of what the program said. */
export async function runProgram(python: string, name: string, job: Job, own: Own = {}): Promise<Found> {
  const folder = join(job.folder, name)
  const out = viewsFolder(job, name)
  await mkdir(out, { recursive: true })
  const script = join(folder, 'views.sql')
  if (own.views !== undefined)
    await runToEnd([
      ...[program, 'views', '--lake', job.lake, '--views-schema', SCHEMA, '--out', script, ...own.views],
    ])
  const hasViews = own.views !== undefined || name === 'embedded.py'
  const given = {
    ...{ tables: job.tables, lake: job.lake, root: job.folder, scratch: join(folder, 'scratch') },
    ...{ program, duckdb: embeddedVersion(), ...own.more },
    ...(hasViews ? { views: { schema: SCHEMA, script, out, columns: viewColumns() } } : {}),
  }
  const [jobFile, resultFile] = [join(folder, 'job.json'), join(folder, 'result.json')]
  await writeFile(jobFile, JSON.stringify(given))
  const path = fileURLToPath(new URL(name, import.meta.url))
  // No byte code beside the sources.
  const limits = { timeout: 30 * 60_000, maxBuffer: 2 ** 28, cwd: folder }
  await run(python, ['-B', path, jobFile, resultFile], limits)
  return JSON.parse(await readFile(resultFile, 'utf8')) as Found
}

/** What went wrong, in some words: the last line of what a program or a client said. */
export function reasonOf(error: unknown): string {
  const said =
    error instanceof Error ? ((error as { stderr?: string }).stderr ?? error.message) : String(error)
  return (said.trim().split('\n').at(-1) ?? '').slice(0, 300)
}
