import { readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** Time on a core of one process so far, all of its threads included; needs /proc. */
export function cpuSeconds(pid: number): number {
  // The name of the program, in brackets, may hold blanks; user and system time are the 12th and 13th after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
