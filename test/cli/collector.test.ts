import { execFileSync } from 'node:child_process'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import { expect, it } from 'vitest'
import { flag } from '../../src/cli/serving/collector.ts'

it('the flag of the collector is one of this Node, and leaves compiled code as good as it was', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(known).toContain(`${flag.replace('no-', '')} (`)
  const before = cachedDataVersionTag()
  setFlagsFromString(flag)
  expect(cachedDataVersionTag()).toBe(before)
})
