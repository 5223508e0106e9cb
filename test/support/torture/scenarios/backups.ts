import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../kills/inputs.ts'
import { textsOf } from '../../kills/sources.ts'
import { visibleSources } from '../../kills/visible.ts'
import { must, runMain } from '../../run-main.ts'
import { checkLake, lakeIn } from '../lake-checks.ts'
import { INPUT, type Scenario, SMALL } from '../scenario.ts'
import { makeTinySteps } from '../tiny-steps.ts'

/** Backups of a lake, and the way back. */

const backupsIn = (folder: string) => join(folder, 'backups')
const complete = (folder: string) =>
  existsSync(backupsIn(folder))
    ? readdirSync(backupsIn(folder))
        .filter((name) => /^\d{4}-/.test(name))
        .sort()
    : []

/** The second backup of a lake that has grown, with its keys. */
function backup(): Scenario {
  let steps: readonly Step[]
  const take = (folder: string) =>
    runMain(['backup', '--to', backupsIn(folder), '--with-keys', '--lake', lakeIn(folder)])
  return {
    name: 'backup',
    async prepare(folder) {
      steps = await makeTinySteps(join(folder, INPUT))
      for (const [number, { args }] of steps.slice(0, 2).entries()) {
        await must('ingest', ...args, '--lake', lakeIn(folder), ...SMALL)
        if (number === 0) {
          await must('keys', 'add', '--name', 'first', '--lake', lakeIn(folder))
          assert.equal((await take(folder)).code, 0)
        }
      }
    },
    act: take,
    async check(folder, ended) {
      const held = { before: steps[1]?.sources ?? [], after: steps[1]?.sources ?? [] }
      await checkLake(lakeIn(folder), held, true)
      const names = complete(folder)
      assert.ok(names.length >= (ended?.code === 0 ? 2 : 1), `of the backups ${names} one is missing`)
      // The first backup is as it was, and every other one is whole.
      for (const [number, name] of names.entries()) {
        const visible = await visibleSources(join(backupsIn(folder), name))
        assert.deepEqual(
          textsOf(visible),
          textsOf(steps[Math.min(number, 1)]?.sources ?? []),
          `backup ${name}`,
        )
      }
    },
    async checkEnd(folder) {
      const left = readdirSync(backupsIn(folder)).filter((name) => !/^\d{4}-|\.lock$/.test(name))
      assert.deepEqual(left, [], 'an interrupted backup left something')
      const newest = complete(folder).at(-1) ?? ''
      const visible = await visibleSources(join(backupsIn(folder), newest))
      assert.deepEqual(textsOf(visible), textsOf(steps[1]?.sources ?? []), `backup ${newest}`)
      assert.ok(existsSync(join(backupsIn(folder), newest, '_keys/keys.ndjson')), 'the backup has no keys')
    },
  }
}

/** A backup comes in the place of an older state of the lake. */
function restore(): Scenario {
  let steps: readonly Step[]
  return {
    name: 'restore',
    async prepare(folder) {
      steps = await makeTinySteps(join(folder, INPUT))
      await must('ingest', ...(steps[0] as Step).args, '--lake', join(folder, 'other'), ...SMALL)
      await must('backup', '--to', backupsIn(folder), '--lake', join(folder, 'other'))
      await must('ingest', ...(steps[1] as Step).args, '--lake', lakeIn(folder), ...SMALL)
    },
    act: (folder) => runMain(['restore', '--from', backupsIn(folder), '--replace', '--lake', lakeIn(folder)]),
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
      const visible = await visibleSources(lakeIn(folder))
      assert.deepEqual(
        textsOf(visible),
        textsOf((steps[0] as Step).sources),
        'the lake is not that of the backup',
      )
      const left = readdirSync(lakeIn(folder)).filter((name) => /^_rest/.test(name))
      assert.deepEqual(left, [], 'an interrupted restore left something')
    },
  }
}

export const backups: readonly Scenario[] = [backup(), restore()]
