import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openRandom } from '../../src/write/sample/random.ts'
import { everyAnswer } from '../support/every-answer.ts'
import { entriesOf } from '../support/folder-origin.ts'
import { wholeLakeId } from '../support/lakes/lake-content.ts'
import { shareLake } from '../support/lakes/shared-copy.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { roughWay } from '../support/rough-way.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { runProgram, startProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a follower killed at any moment leaves a complete lake, and the next one continues', async () => {
  const there = await smallLake('a commit for each file')
  const expected = await wholeLakeId(there)
  const random = openRandom([1, 2, 3])
  const way = await roughWay(await shareLake(there), random)
  way.trouble = () => (random.chance(0.05) ? 'cut' : undefined)
  const cwd = await temporaryFolder()
  let kills = 0
  for (let round = 0; round < 4; round += 1) {
    const copy = `copy-${round}`
    const args = ['sync', 'lake', '--url', way.address, '--lake', copy]
    way.asked.length = 0
    // Each is given more time than the one before, so that a slow machine gets there as well.
    for (let id = '', most = 300; id !== expected; most += 150) {
      const running = startProgram(args, { cwd })
      const seen = way.asked.length
      while (way.asked.length === seen && running.child.exitCode === null) await setTimeout(2)
      await setTimeout(random.below(most))
      running.child.kill('SIGKILL')
      const { code } = await running.finished
      if (code === null) kills += 1
      id = await wholeLakeId(join(cwd, copy))
    }
    expect(await runProgram(args, { cwd })).toMatchObject({ code: 0 })
    expect(await runProgram(['verify', '--lake', copy], { cwd })).toMatchObject({ code: 0 })
    expect(await entriesOf(join(cwd, copy))).toEqual(await entriesOf(there))
  }
  expect(kills).toBeGreaterThan(6)
  const [here, far] = [await buildTestServer(join(cwd, 'copy-0')), await buildTestServer(there)]
  expect(await everyAnswer(here)).toEqual(await everyAnswer(far))
})
