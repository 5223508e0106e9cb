import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { contentOf } from '../support/lakes/lake-content.ts'
import { runProgram, startProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Processes that another one started and that run a command of the program. */
function childrenOf(pid: number, command: string): readonly number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((own) => {
    const [status, words] = ['status', 'cmdline'].map((name) => {
      const path = `/proc/${own}/${name}`
      return existsSync(path) ? readFileSync(path, 'latin1') : ''
    })
    return status?.includes(`\nPPid:\t${pid}\n`) && words?.split('\0').includes(command)
  })
}

it.skipIf(!existsSync('/proc/self/status'))(
  'an ingest of many shares builds the same indexes if its builder process is killed',
  async () => {
    const cwd = await temporaryFolder()
    const size = ['--hotspots', '65000', '--days', '3']
    expect(await runProgram(['sample', '--out', 'network', ...size], { cwd })).toMatchObject({ code: 0 })
    const found: Readonly<Record<string, string>>[] = []
    for (const [lake, isKilled] of [
      ['whole', false],
      ['killed', true],
    ] as const) {
      const { child, finished } = startProgram(['ingest', 'network', '--lake', lake], { cwd })
      let beside: readonly number[] = []
      while (beside.length === 0 && child.exitCode === null) {
        await setTimeout(10)
        beside = childrenOf(child.pid as number, 'build-derived')
      }
      expect(beside).toHaveLength(1)
      if (isKilled) process.kill(beside[0] as number, 'SIGKILL')
      expect(await finished).toMatchObject({ code: 0, stderr: expect.not.stringContaining('stay slow') })
      found.push(contentOf(join(cwd, lake, '_state')))
      expect(await runProgram(['verify', '--lake', lake], { cwd })).toMatchObject({ code: 0 })
    }
    const [whole, killed] = found
    expect(Object.keys(whole ?? {}).length).toBeGreaterThanOrEqual(6)
    expect(Object.values(killed ?? {}).sort()).toEqual(Object.values(whole ?? {}).sort())
  },
)
