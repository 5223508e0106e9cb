import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LocatedGroup } from '../../../src/lake/facts/group-series.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { textsOf } from '../kills/sources.ts'
import { visibleSources } from '../kills/visible.ts'
import { leftoversOf } from '../leftovers.ts'
import { runProgram } from '../run-program.ts'

/** Whether a synchronized lake is what an ingest of the same files makes. */

/** Errors: AssertionError when a row, a source, a sum or a file is different, or `verify` finds something. */
export async function checkAsIngested(
  folder: string,
  lake: string,
  objects: ReadonlyMap<string, Uint8Array>,
): Promise<{ readonly rows: number; readonly sources: number }> {
  const [files, direct] = [join(folder, 'files'), join(folder, 'direct')]
  for (const [key, body] of objects) {
    mkdirSync(join(files, dirname(key)), { recursive: true })
    writeFileSync(join(files, key), body)
  }
  for (const command of [
    ['ingest', files, '--lake', direct],
    ['verify', '--lake', lake],
  ]) {
    const { code, stdout, stderr } = await runProgram(command, { cwd: folder })
    assert.equal(code, 0, `${command.join(' ')}: ${stdout}${stderr}`)
  }
  const [own, expected] = [await tablesOf(lake), await tablesOf(direct)]
  assert.deepEqual(own, expected, `${lake} has other rows, sources or sums than ${direct}`)
  const [shown, ingested] = [await visibleSources(lake), await visibleSources(direct)]
  assert.deepEqual(textsOf(shown), textsOf(ingested), `data files of ${lake} have other sums`)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
  checkBytes(own, objects)
  return { rows: shown.reduce((sum, { rows }) => sum + rows, 0), sources: shown.length }
}

type Tables = Awaited<ReturnType<typeof tablesOf>>

/** Of each table: rows, sources with their digests, and the sums of its groups, as the log has them. */
async function tablesOf(lake: string) {
  const { tables } = await new Lake(lake).latest()
  const filled = tables.filter(({ sources }) => sources.size > 0)
  return Object.fromEntries(
    filled.map((table) => {
      const sources = [...table.sources.values()].map(({ kind, name, sha256, rows, refused }) =>
        [kind, name, sha256, rows, refused].join(' '),
      )
      const groups = table.statistics.groups({ from: -(2n ** 63n), to: 2n ** 63n - 1n })
      return [table.resource.name, { rows: table.rows, sources: sources.sort(), sums: sumsOf(groups) }]
    }),
  )
}

/** Rows and the sum of each column, by period, type and source. */
function sumsOf(groups: readonly LocatedGroup[]): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {}
  for (const { period, type, source, rows, sums: own } of groups) {
    for (const [column, sum] of [['rows', BigInt(rows)] as const, ...Object.entries(own)]) {
      const name = `${period} ${type} ${source} ${column}`
      sums[name] = (sums[name] ?? 0n) + sum
    }
  }
  return sums
}

/** Every source has the bytes that its object has. */
function checkBytes(tables: Tables, objects: ReadonlyMap<string, Uint8Array>): void {
  const held = new Set(
    Object.values(tables).flatMap(({ sources }) => sources.map((one) => one.split(' ')[2])),
  )
  for (const [key, body] of objects) {
    const digest = createHash('sha256').update(body).digest('hex')
    assert(held.has(digest), `${key} is not in the lake with its newest bytes`)
  }
}
