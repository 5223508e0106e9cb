import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { must, runMain } from '../../../support/servers/run-main.ts'
import { checkLake } from '../lake-checks.ts'
import { makeTinySteps } from '../oracle-steps.ts'
import { type CommandScenario, growLake, INPUT, lakeIn, ofCommand, SMALL } from '../scenario.ts'
import { checkSources, textsOf, visibleSources } from '../sources.ts'
import type { Step } from '../steps.ts'

const backupsIn = (folder: string) => join(folder, 'backups')

/** Paths of the backups that have their names, oldest first, and what else is there. */
function backupsOf(folder: string): {
  readonly whole: readonly string[]
  readonly others: readonly string[]
} {
  const names = readdirSync(backupsIn(folder))
    .filter((name) => !name.endsWith('.lock'))
    .sort()
  const isWhole = (name: string) => /^\d{4}-/.test(name)
  return {
    whole: names.filter(isWhole).map((name) => join(backupsIn(folder), name)),
    others: names.filter((name) => !isWhole(name)),
  }
}

/** The second backup of a lake that has grown, with its keys. */
function backup(): CommandScenario {
  let steps: readonly Step[] = []
  const sources = (step: number) => steps[Math.min(step, 1)]?.sources ?? []
  let key = ''
  const held = () => ({ before: sources(1), after: sources(1), key })
  const command = (folder: string) => [
    ...['backup', '--to', backupsIn(folder), '--with-keys', '--lake', lakeIn(folder)],
  ]
  return ofCommand({
    ...{ name: 'backup', command, held },
    async prepare(folder) {
      steps = await growLake(folder, 1)
      const printed = await must('keys', 'add', '--name', 'first', '--lake', lakeIn(folder))
      key = printed.trimEnd().split('\n').at(-1) ?? ''
      await must(...command(folder))
      await must('ingest', ...(steps[1]?.args ?? []), '--lake', lakeIn(folder), ...SMALL)
    },
    async check(folder, ended) {
      await checkLake(lakeIn(folder), held(), true)
      const { whole } = backupsOf(folder)
      assert.ok(whole.length >= (ended?.code === 0 ? 2 : 1), `of the backups ${whole} one is missing`)
      // The first backup is as it was, and every other one is whole.
      for (const [number, path] of whole.entries()) await checkSources(path, sources(number))
    },
    async checkEnd(folder) {
      const { whole, others } = backupsOf(folder)
      assert.deepEqual(others, [], 'an interrupted backup left something')
      const newest = whole.at(-1) ?? ''
      await checkSources(newest, sources(1))
      assert.ok(existsSync(join(newest, '_keys/keys.ndjson')), 'the backup has no keys')
    },
  })
}

/** A backup comes in the place of an older state of the lake. */
function restore(): CommandScenario {
  let steps: readonly Step[] = []
  return ofCommand({
    name: 'restore',
    async prepare(folder) {
      const other = join(folder, 'other')
      steps = await makeTinySteps(join(folder, INPUT))
      await must('ingest', ...(steps[0]?.args ?? []), '--lake', other, ...SMALL)
      await must('backup', '--to', backupsIn(folder), '--lake', other)
      await must('ingest', ...(steps[1]?.args ?? []), '--lake', lakeIn(folder), ...SMALL)
    },
    command: (folder) => ['restore', '--from', backupsIn(folder), '--replace', '--lake', lakeIn(folder)],
    async check(folder, ended) {
      const opened = await runMain(['status', '--json', '--lake', lakeIn(folder)])
      if (ended?.code === 0) assert.equal(opened.code, 0, opened.stderr)
      // While tables of both would be there, nobody opens the lake.
      if (opened.code !== 0) {
        assert.match(opened.stderr, /restore/i, 'it is not said why the lake does not open')
        return
      }
      const visible = textsOf(await visibleSources(lakeIn(folder)))
      const [restored, older] = steps.map(({ sources }) => textsOf(sources))
      const expected = ended?.code === 0 || visible.length === restored?.length ? restored : older
      assert.deepEqual(visible, expected, 'the lake is neither the one nor the other')
    },
    async checkEnd(folder) {
      await checkSources(lakeIn(folder), steps[0]?.sources ?? [])
      const left = readdirSync(lakeIn(folder)).filter((name) => /^_rest/.test(name))
      assert.deepEqual(left, [], 'an interrupted restore left something')
    },
  })
}

export const backups: readonly CommandScenario[] = [backup(), restore()]
