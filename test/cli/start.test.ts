import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commandFlags } from '../../scripts/prepare.mjs'
import { smallOracle } from '../support/fixtures.ts'
import { startProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const loader = fileURLToPath(new URL('../../bin/load-program.cjs', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const isCompiled = (name: string) => name.endsWith('.compiled')

/** Loads a program in a process of its own, since V8 remembers what a process has compiled. */
function load(file: string): unknown {
  const script = `const loaded = require(process.argv[1]).loadProgram(process.argv[2])
    console.log(JSON.stringify([loaded.isCompiled, typeof loaded.main]))`
  const args = [...commandFlags, '-e', script, loader, file]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** A copy of what was built. Its text is made another by `change`. */
async function copyOfBuilt(change: (text: string) => string = (text) => text): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(dist, folder, { recursive: true })
  symlinkSync(join(dist, '..', 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'ledgerlake.cjs')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return file
}

describe('the built program', () => {
  it('starts from the code that was compiled for it', () => {
    expect(readdirSync(dist).filter(isCompiled)).toHaveLength(1)
    expect(load(join(dist, 'ledgerlake.cjs'))).toEqual([true, 'function'])
  })

  it('does not use code compiled for another text of the same length', async () => {
    const file = await copyOfBuilt((text) => text.replace('ledgerlake serves', 'ledgerlake SERVES'))
    expect(load(file)).toEqual([false, 'function'])
  })

  it('starts without compiled code, or if it is damaged', async () => {
    const file = await copyOfBuilt()
    const [name = ''] = readdirSync(join(file, '..')).filter(isCompiled)
    const compiled = join(file, '..', name)
    const good = readFileSync(compiled)
    rmSync(compiled)
    expect(load(file)).toEqual([false, 'function'])
    const damaged = [good.subarray(0, 5000), Buffer.alloc(0), Buffer.alloc(100_000, 7)]
    for (const bytes of damaged.slice(0, scaled(1, 3))) {
      writeFileSync(compiled, bytes)
      expect(load(file)).toEqual([false, 'function'])
    }
  })
})

/** The least priority that a command had while it ran; larger numbers are less. */
async function priorityOf(...args: string[]): Promise<number> {
  const { child, finished, stdout } = startProgram(args, { cwd: await temporaryFolder() })
  let least = getPriority()
  while (child.exitCode === null && !stdout().includes('serves')) {
    least = Math.max(least, priorityNow(child.pid))
    await setTimeout(5)
  }
  child.kill()
  await finished
  return least
}

function priorityNow(pid: number | undefined): number {
  try {
    return getPriority(pid)
  } catch {
    // It has just ended.
    return getPriority()
  }
}

it('ingest runs with lower priority, and serve with the usual one', async () => {
  const lowered = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
  expect(await priorityOf('ingest', smallOracle, '--lake', 'lake')).toBe(lowered)
  expect(await priorityOf('serve', '--lake', 'lake', '--port', '0')).toBe(getPriority())
})
