import { cpuSeconds } from '../support/cpu-seconds.ts'

const PERIOD_MS = 100
const LOOK_MS = 5

/**
 * Keeps a process to a part of a core, as if it had a small machine for itself: it is stopped for the rest of each tenth of a
 * second in which it has used its part; what it used beyond counts into the next. Gives what ends that.
 */
export function holdTo(pid: number, part: number): () => void {
  const allowed = (part * PERIOD_MS) / 1000
  let left = allowed
  let used = cpuSeconds(pid)
  let period = performance.now()
  const timer = setInterval(() => {
    const total = cpuSeconds(pid)
    left -= total - used
    used = total
    const now = performance.now()
    if (now - period >= PERIOD_MS) {
      const periods = Math.floor((now - period) / PERIOD_MS)
      period += periods * PERIOD_MS
      left = Math.min(allowed, left + periods * allowed)
      if (left > 0) process.kill(pid, 'SIGCONT')
    }
    if (left <= 0) process.kill(pid, 'SIGSTOP')
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    process.kill(pid, 'SIGCONT')
  }
}
