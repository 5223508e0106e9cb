import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { holdTo } from '../../bench/scaling/held.ts'
import { cpuSeconds } from '../../bench/support/cpu-seconds.ts'
import { cleanUp } from '../support/clean-up.ts'

it('a limited process uses at most its share of a core, and runs freely when the limit ends', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); for (;;);'])
  cleanUp(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const { pid = 0 } = child
  const delay = monitorEventLoopDelay()
  delay.enable()
  const letGo = holdTo(pid, 0.2)
  const [before, began] = [cpuSeconds(pid), performance.now()]
  await setTimeout(1500)
  const used = cpuSeconds(pid) - before
  letGo()
  const seconds = (performance.now() - began) / 1000
  // Beside others it may get less, and goes on for as long as this process does not get its turn.
  expect(used).toBeGreaterThan(0)
  expect(used).toBeLessThan(0.25 * seconds + delay.max / 1e9)
  const state = () => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  await expect.poll(state).toBe('R')
})
