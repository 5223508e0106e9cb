import assert from 'node:assert/strict'
import { describeSource, type SourceSums } from './visible.ts'

/** Every source is in wholly or not at all, and what was in before still is, in its old bytes or its new ones. */
export function checkSources(
  lake: string,
  visible: readonly SourceSums[],
  before: readonly SourceSums[],
  after: readonly SourceSums[],
): void {
  const allowed = new Set(textsOf([...before, ...after]))
  const odd = textsOf(visible).filter((text) => !allowed.has(text))
  assert.deepEqual(odd, [], `${lake} shows sources that are not whole`)
  const shown = new Set(visible.map(({ table, name }) => `${table} ${name}`))
  const lost = before.filter(({ table, name }) => !shown.has(`${table} ${name}`))
  assert.deepEqual(lost, [], `${lake} has lost sources`)
}

/** `status --json` of a lake counts the rows that are visible. */
export function checkStatus(lake: string, json: string, visible: readonly SourceSums[]): void {
  const { tables } = JSON.parse(json) as { tables: readonly { table: string; rows: number }[] }
  for (const { table, rows } of tables.filter((status) => status.table !== 'rejects'))
    assert.equal(rows, rowsOf(visible.filter((source) => source.table === table)), `${table} of ${lake}`)
}

export function textsOf(sources: readonly SourceSums[]): readonly string[] {
  return sources.map(describeSource).sort()
}

export function rowsOf(sources: readonly SourceSums[]): number {
  return sources.reduce((sum, source) => sum + source.rows, 0)
}
