import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { Lake } from '../src/lake/snapshot/lake.ts'
import { bringJars, bringPython, cacheOf } from '../test/support/bring.ts'
import { compareMeasures, compareRows, type Found, together } from '../test/support/engines/compare.ts'
import {
  expectedPackages,
  type PythonEngine,
  pythonEngines,
  trinoEngine,
} from '../test/support/engines/engines.ts'
import { tablesOf, viewColumns } from '../test/support/engines/job.ts'
import { makeEnginesLake } from '../test/support/engines/lake.ts'
import { bringBackRemoved } from '../test/support/engines/plant.ts'
import { type Job, type Own, reasonOf, runProgram, viewsFolder } from '../test/support/engines/run.ts'
import { engineTable, type Line, withTable } from '../test/support/engines/table.ts'
import { openRun } from '../test/support/open-run.ts'
import { withCluster } from '../test/support/trino/cluster.ts'
import { register } from '../test/support/trino/compare.ts'

/**
 * Has other engines read a lake, and compares every sum: npm run test:long -- engines --only Spark,chDB --hotspots 200 --fault removed
 * Engines are fetched into ENGINES_CACHE; Trino runs where `npm run test:long -- trino` has brought it. A run of all of them that differs in nothing
 * writes the table of the guide. Exit code: 1 when a value differs, or when none differs despite a fault.
 */

const nameOf = ({ name }: { readonly name: string }) => name
const names = [...pythonEngines, trinoEngine].map(nameOf)
const { values, only, say } = openRun({ hotspots: '300', fault: undefined }, names)
if (values.fault !== undefined && values.fault !== 'removed')
  throw new Error(`--fault is ${values.fault}; use removed`)
const folder = temporaryFolder()

say('making the lake')
const lake = await makeEnginesLake(folder, Number(values.hotspots))
const { tables } = await new Lake(lake).latest()
const versions = Object.fromEntries(tables.map(({ resource, version }) => [resource.name, version]))
const job: Job = { folder, lake, tables: tablesOf(lake, versions) }

const arrow = await bringPython('engines', 'expected', expectedPackages)
const expected = await runProgram(arrow, 'expected.py', job)
const failed = Object.entries(expected.errors).map((entry) => entry.join(': '))
if (failed.length > 0) throw new Error(`nothing is expected: ${failed.join('\n')}`)
say(
  `${Object.keys(expected.tables).length} tables, ${compareMeasures(expected.tables, {}).values} values expected`,
)
if (values.fault !== undefined)
  say(`files brought back in ${bringBackRemoved(lake, Object.keys(job.tables)).join(', ')}`)

const lines: Line[] = []
const differing: string[] = []
const remark = '`ledgerlake sql` over the files of the log'
await add({ name: 'DuckDB in ledgerlake', program: 'embedded.py', remark }, () =>
  Promise.resolve([arrow, {}]),
)
for (const engine of pythonEngines.filter(({ name }) => only.includes(name)))
  await add(engine, async () => {
    const python = await bringPython('engines', engine.program.replace('.py', ''), engine.packages)
    const more = engine.jars && {
      jars: await bringJars(join(cacheOf('engines'), `${engine.program}-jars`), engine.jars),
    }
    // ledgerlake refuses a lake with such a fault, and writes no views over it.
    const views = values.fault === undefined && engine.views ? ['--for', engine.views] : undefined
    return [python, { views, more }]
  })
if (only.includes(trinoEngine.name)) await addTrino()

const table = engineTable(lines)
console.log(table)
for (const difference of differing.slice(0, 50)) console.log(difference)
if (differing.length > 50) console.log(`and ${differing.length - 50} more`)
if (values.fault !== undefined) {
  const blind = lines.filter((line) => line.tables !== undefined && line.tables.differences.length === 0)
  say(blind.length === 0 ? 'every engine showed the fault' : `not shown by ${blind.map(nameOf).join()}`)
  if (blind.length > 0) process.exitCode = 1
} else if (differing.length > 0) process.exitCode = 1
else if (only.length < names.length || lines.some((line) => line.tables === undefined)) {
  say('the table of the guide stays as it is: not all engines ran')
} else {
  const page = new URL('../docs/guide/reading-with-other-engines.md', import.meta.url)
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), table))
}

type Measured = Pick<PythonEngine, 'name' | 'program' | 'remark' | 'rounds'>

/** Brings an engine, runs it and compares; what cannot be had is a line of the table too. */
async function add(engine: Measured, bring: () => Promise<readonly [string, Own]>): Promise<void> {
  const { name, program } = engine
  say(name)
  let problem = 'could not be fetched'
  try {
    const [python, own] = await bring()
    problem = 'did not run'
    lines.push(lineOf(engine, await runProgram(python, program, job, own)))
  } catch (error) {
    const sentence = `${name} ${problem}: ${reasonOf(error)}`
    say(sentence)
    if (problem === 'did not run') differing.push(sentence)
    lines.push({ name, version: '-', remark: problem })
  }
}

function lineOf({ name, program, remark, rounds = [] }: Measured, found: Found): Line {
  const newest = compareMeasures(expected.tables, found.tables)
  const older = hasAny(found.older) ? compareMeasures(expected.older, found.older) : undefined
  const views = program !== 'embedded.py' && hasAny(found.views) ? compareViews(program) : undefined
  const errors = Object.entries(found.errors).map((entry) => entry.join(': '))
  const differences = [newest, older, views].flatMap((verdict) => verdict?.differences ?? [])
  const unknown = differences.filter((one) => !rounds.some((column) => one.includes(`, ${column} `)))
  differing.push(...[...errors, ...unknown].map((sentence) => `${name}: ${sentence}`))
  return { name, version: found.version, tables: newest, older, views, remark }
}

function compareViews(program: string) {
  const rowsOf = (own: string, view: string) => join(viewsFolder(job, own), `${view}.ndjson`)
  const views = Object.keys(viewColumns())
  return together(views.map((view) => compareRows(view, rowsOf('embedded.py', view), rowsOf(program, view))))
}

function hasAny(found: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(found).length > 0
}

async function addTrino(): Promise<void> {
  if (!existsSync(cacheOf('trino'))) {
    say('Trino is not run: npm run test:long -- trino brings it')
    lines.push({
      name: trinoEngine.name,
      version: '-',
      remark: 'not run; `npm run test:long -- trino` brings it',
    })
    return
  }
  await withCluster({ folder: join(folder, 'trino'), workers: 1, say }, async ({ server }) => {
    await register(server, lake, 'engines')
    const more = { server, catalog: 'lake', schema: 'engines' }
    const views = ['--for', 'trino', '--trino-schema', 'engines']
    const bring = () => bringPython('engines', 'trino', trinoEngine.packages)
    await add(trinoEngine, async () => [await bring(), { views, more }])
  })
}
