import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { checkSources, rowsOf, visibleSources } from '../../torture/interrupts/sources.ts'
import { leftoversOf } from '../lakes/leftovers.ts'
import { runProgram } from '../servers/run-program.ts'

/**
 * A synchronized lake is what an ingest of the same files makes; gives its number of rows. `verify` compares the log with the data.
 * Errors: AssertionError when a row, a source, a sum or a file is different, or `verify` finds something.
 */
export async function checkAsIngested(
  folder: string,
  lake: string,
  objects: ReadonlyMap<string, Uint8Array>,
): Promise<number> {
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
  const sources = await takenSources(lake)
  assert.deepEqual(sources, await takenSources(direct), `${lake} has other sources than ${direct}`)
  const ingested = await visibleSources(direct)
  await checkSources(lake, ingested)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
  const digests = new Set(sources.map((source) => source.split(' ').at(-1)))
  for (const [key, body] of objects) {
    const digest = createHash('sha256').update(body).digest('hex')
    assert(digests.has(digest), `${key} is not in the lake with its newest bytes`)
  }
  return rowsOf(ingested)
}

/** Sources of all tables, each with its digest at the end, as the log has them. */
async function takenSources(lake: string): Promise<readonly string[]> {
  const { tables } = await new Lake(lake).latest()
  const texts = tables.flatMap(({ resource, sources }) =>
    [...sources.values()].map(({ kind, name, sha256, rows, refused }) =>
      [resource.name, kind, name, rows, refused, sha256].join(' '),
    ),
  )
  return texts.sort()
}
