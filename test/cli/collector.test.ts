import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import { expect, it } from 'vitest'
import { commandFlags } from '../../scripts/prepare.mjs'
import { flag } from '../../src/cli/serving/collector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const built = fileURLToPath(new URL('../../bin/ledgerlake', import.meta.url))
const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })

it('this Node accepts the flag of the garbage collector, and compiled code stays valid', () => {
  expect(known).toContain(`${flag.replace('no-', '')} (`)
  const before = cachedDataVersionTag()
  setFlagsFromString(flag)
  expect(cachedDataVersionTag()).toBe(before)
})

it('the command starts V8 with rare young collections, without helper threads, and with all objects young', async () => {
  const told = join(await temporaryFolder(), 'told.cjs')
  writeFileSync(told, 'console.error(process.execArgv.join())')
  const env = { ...process.env, NODE_OPTIONS: `--require ${told}` }
  const { status, stderr } = spawnSync(built, ['--version'], { encoding: 'utf8', env })
  expect([status, stderr]).toEqual([
    0,
    '--single-threaded-gc,--max-semi-space-size=32,--no-allocation-site-pretenuring\n',
  ])
  expect(commandFlags.join()).toBe(stderr.trim())
  for (const flag of commandFlags)
    expect(known).toContain(`${flag.replace(/=.*/, '').replace('--no-', '--')} (`)
})
