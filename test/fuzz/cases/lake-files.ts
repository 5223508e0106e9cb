import { mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Resource } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { runFolder, tableFolder } from '../../../src/lake/disk/layout.ts'
import { checkpointIfDue } from '../../../src/lake/log/checkpoint.ts'
import { readTableLog } from '../../../src/lake/log/delta-log.ts'
import { DataFiles } from '../../../src/lake/snapshot/data-files.ts'
import { spell } from '../../support/exact-json.ts'
import { noParquet } from '../../support/lakes/made-up-table.ts'
import { changeGzip } from './changes.ts'
import { storedTarget } from './stored-file.ts'
import type { Target } from './target.ts'
import { copyOf, type World } from './world.ts'

/** What the log of a table leads to, and what stands in its side files. */
async function readTable(lake: string, resource: Resource): Promise<string> {
  const table = tableFolder(lake, resource)
  const log = await readTableLog(table)
  if (log === undefined) return 'no table'
  const files = await new DataFiles().load(resource, table, log.live)
  return spell({
    ...log,
    files: files.map(({ path, rows, sources, chunks }) => ({ path, rows, sources, chunks })),
  })
}

async function filesOf(lake: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(lake, { recursive: true })
  return names
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(lake, name))
}

/** Log entries, side files and checkpoints of a copy of the lake. */
export async function lakeTargets(world: World): Promise<readonly Target[]> {
  const lake = await copyOf(world.lake, join(world.folder, 'copy'))
  const summed = await copyOf(lake, join(world.folder, 'summed'))
  const staging = runFolder(summed, 'fuzz')
  await mkdir(staging, { recursive: true })
  for (const resource of resources) await checkpointIfDue(summed, resource, noParquet, staging, true)
  const resourceOf = (path: string) =>
    resources.find((resource) => path.includes(`/${resource.name}/`)) as Resource
  const read = (path: string) => readTable(path.startsWith(summed) ? summed : lake, resourceOf(path))
  return [
    storedTarget({
      ...{ name: 'log entries', read, refusedAs: ['lake_damaged', 'lake_unsupported'] },
      files: await filesOf(lake, /_delta_log\/\d{20}\.json$/),
    }),
    storedTarget({
      ...{ name: 'facts', read, refusedAs: ['lake_damaged'], change: changeGzip },
      files: (await filesOf(lake, /_facts\/|_delta_log\/_/)).filter(
        (path) => basename(dirname(path)) !== '_delta_log' || path.endsWith('.gz'),
      ),
    }),
    storedTarget({
      ...{ name: 'checkpoints', read, refusedAs: [], change: changeGzip },
      files: await filesOf(summed, /_delta_log\/_snapshot/),
    }),
  ]
}
