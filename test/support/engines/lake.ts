import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { program, runToEnd } from '../../../bench/support/program.ts'
import { writeOracleFiles } from '../lakes/make-lake.ts'
import { extremeFiles } from './extremes.ts'

/** More commits than go without a checkpoint. */
const PARTS = 12

/** Makes a lake by the program: a network in many commits with its ledger, extreme amounts, and closed months merged after that. */
export async function makeEnginesLake(folder: string, hotspots: number): Promise<string> {
  const lake = join(folder, 'lake')
  const [oracle, ledger, extremes] = [
    join(folder, 'oracle'),
    join(folder, 'ledger'),
    join(folder, 'extremes'),
  ]
  const run = (...words: string[]) => runToEnd([program, ...words])
  const same = ['--hotspots', `${hotspots}`]
  await run('sample', '--out', oracle, '--start', '2025-01-15', '--days', '40', ...same)
  await run('sample', '--l1', '--out', ledger, '--transactions', '5000', ...same)
  await writeOracleFiles(extremes, extremeFiles())
  const files = (await readdir(oracle, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  )
  const timeOf = (name: string) => Number(/\.(\d+)\.gz$/.exec(name)?.[1] ?? 0)
  const ordered = files.sort((a, b) => timeOf(a.name) - timeOf(b.name))
  for (let part = 0; part < PARTS; part += 1) {
    const own = ordered.slice((part * ordered.length) / PARTS, ((part + 1) * ordered.length) / PARTS)
    const paths = own.map(({ parentPath, name }) => join(parentPath, name))
    await run('ingest', ...paths, '--lake', lake)
  }
  await run('ingest', ledger, extremes, '--lake', lake)
  await run('compact', '--lake', lake)
  return lake
}
