import { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SqlProcess } from '../../../src/answers/sql/process/sql-process.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { rowsOf } from '../../support/servers/ask-sql.ts'
import { mcpOverAddress } from '../../support/servers/mcp-client.ts'
import { startServing } from '../../support/servers/run-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

/** DuckDB looks for an interrupt between rows, and works this one value out while it plans. */
const UNSTOPPABLE = "select levenshtein(repeat('a', 1000000), repeat('b', 1000000))"

async function openSql(more: Record<string, string> = {}) {
  const lake = await smallLake()
  const told: string[] = []
  const settings = readSettings({}, { lake, engine_memory_mb: '256', engine_threads: '1', ...more })
  const sql = servedSql(settings, (sentence) => told.push(sentence))
  onTestFinished(sql.close)
  const session = await sql.open(await new Lake(lake).latest())
  onTestFinished(() => session.close())
  return { sql, session, told, ask: (statement: string) => rowsOf(session, statement) }
}

/** Processes that run statements for a process. */
function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isChild =
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
      return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('answer-sql')
        ? [Number(pid)]
        : []
    } catch {
      return []
    }
  })
}

/** Waits until a process has worked for a third of a second: starting to check a statement takes less. */
async function untilBusy([pid]: readonly number[]): Promise<void> {
  const ticks = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11])
  const before = ticks()
  while (ticks() < before + 33) await setTimeout(20)
}

/** Linux runs a process of this policy while no other one wants its core. Source: sched(7), proc_pid_stat(5). */
const [SCHED_OTHER, SCHED_IDLE] = [0, 5]
const policyOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[38])

const isThere = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false
  } catch {
    return false
  }
}

describe('a statement of a user', () => {
  it('gives way to a server on the same machine', async () => {
    const { ask } = await openSql()
    await ask('select 1')
    const [pid = 0] = childrenOf(process.pid)
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
    expect(policyOf(pid)).toBe(SCHED_OTHER)
  })

  it('can be kept to cores that nothing else wants', async () => {
    const { ask } = await openSql({ sql_when_idle: 'true' })
    expect(await ask('select 1')).toEqual([['1']])
    const [pid = 0] = childrenOf(process.pid)
    expect(policyOf(pid)).toBe(SCHED_IDLE)
  })

  it('that takes more memory than statements have ends with a sentence, and the next one answers', async () => {
    const { ask } = await openSql()
    await expect(ask("select length(printf('%2000000000d', 1))")).rejects.toThrow(
      'Statements have 128 MB of memory; --engine-memory-mb gives them more.',
    )
    expect(await ask('select 1')).toEqual([['1']])
  })

  it('that does not stop is ended, and the next one answers', async () => {
    const { ask, session, sql } = await openSql()
    expect(await ask('select 1')).toEqual([['1']])
    const stop = new AbortController()
    const asked = session.check(UNSTOPPABLE, {}, stop.signal)
    asked.catch(() => {})
    await untilBusy(childrenOf(process.pid))
    stop.abort(new Error('the deadline'))
    await expect(asked).rejects.toThrow('the deadline')
    expect(sql.endings()).toEqual({ memory: 0, time: 1, fault: 0 })
    expect(await ask('select 2')).toEqual([['2']])
  })

  it('whose process crashes ends with a logged and counted sentence, and the next one answers', async () => {
    const { ask, sql, told } = await openSql()
    expect(await ask('select 3')).toEqual([['3']])
    const asked = ask(UNSTOPPABLE)
    asked.catch(() => {})
    await untilBusy(childrenOf(process.pid))
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGSEGV')
    await expect(asked).rejects.toThrow(
      'The process that runs statements ended (SIGSEGV); the next statement runs in another one.',
    )
    expect(sql.endings()).toEqual({ memory: 0, time: 0, fault: 1 })
    expect(told).toEqual([expect.stringContaining('The process that runs statements ended: SIGSEGV')])
    expect(await ask('select 4')).toEqual([['4']])
  })

  it('is refused if no process can be started, and the next one answers', async () => {
    const { ask } = await openSql()
    // As node:child_process does without free open files: no number of a process, no pipes, and the error comes later.
    vi.spyOn(ChildProcess.prototype as unknown as { spawn: () => number }, 'spawn').mockImplementationOnce(
      function (this: ChildProcess) {
        process.nextTick(() => this.emit('error', new Error('spawn EMFILE')))
        return -24
      },
    )
    await expect(ask('select 5')).rejects.toThrow('No process for SQL can be started: ')
    expect(await ask('select 6')).toEqual([['6']])
  })

  it('is killed if its process exceeds the limit of resident memory', async () => {
    const endings: string[] = []
    const scratch = { folder: await temporaryFolder(), close: async () => {} }
    // The program alone has more than 20 MB.
    const small = new SqlProcess({
      memoryMb: -300,
      whenIdle: false,
      scratch,
      onEnd: (by) => endings.push(by),
    })
    await expect(small.send('open', {})).rejects.toThrow('The statement takes too much memory.')
    expect(endings).toEqual(['memory'])
  })
})

describe('a server with a statement that does not stop', () => {
  async function serveUnstoppable() {
    const cwd = await temporaryFolder()
    const serving = await startServing(['--lake', await smallLake(), '--port', '0', '--open-sql'], { cwd })
    const { call } = await mcpOverAddress(serving.address)
    expect((await call('sql', { statement: 'select 5 as n' })).text).toContain('"rows":[["5"]]')
    call('sql', { statement: UNSTOPPABLE }).catch(() => {})
    const children = childrenOf(serving.child.pid ?? 0)
    expect(children).toHaveLength(1)
    await untilBusy(children)
    return { serving, children }
  }

  // A statement under way has ten seconds to end.
  it.each(scaled<readonly NodeJS.Signals[]>(['SIGKILL'], ['SIGTERM', 'SIGKILL']))(
    'ends by %s and leaves no process behind',
    async (signal) => {
      const { serving, children } = await serveUnstoppable()
      serving.child.kill(signal)
      // Its calls have the grace that every request has; a server that waits for the statement would not end at all.
      await serving.finished
      for (let looks = 0; looks < 100 && children.some(isThere); looks += 1) await setTimeout(20)
      expect(children.filter(isThere)).toEqual([])
    },
  )
})
