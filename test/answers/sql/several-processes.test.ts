import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SqlProcess } from '../../../src/answers/sql/process/sql-process.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { copySmallLake, smallLake } from '../../support/lakes/small-lake.ts'
import { rowsOf } from '../../support/servers/ask-sql.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A statement that runs until it is stopped. */
const ENDLESS = 'select max(md5(i::varchar)) from range(100000000000) r(i)'

async function openSql(lake: string, processes: number) {
  const settings = readSettings({}, { lake, engine_threads: '1', sql_processes: String(processes) })
  const sql = servedSql(settings)
  onTestFinished(sql.close)
  const at = await (await openLake(lake)).latest()
  return { sql, at }
}

describe('processes for statements', () => {
  it('keep a session for the next statement over its snapshot, and open another snapshot anew', async () => {
    const lake = await temporaryFolder()
    await copySmallLake(lake)
    const { sql, at } = await openSql(lake, 1)
    const sent = vi.spyOn(SqlProcess.prototype, 'send')
    onTestFinished(() => sent.mockRestore())
    const opened = () => sent.mock.calls.filter(([name]) => name === 'open').length
    const empty = { ...at, id: 'none', tables: [] } as unknown as typeof at
    const ask = async (snapshot: typeof at) => {
      const session = await sql.open(snapshot)
      const [row] = await rowsOf(
        session,
        'select snapshot, (select count(*) > 0 from iot_reward_shares) from lake_snapshot',
      )
      await session.close()
      return row
    }
    expect(await ask(at)).toEqual([at.id, 'true'])
    expect(await ask(at)).toEqual([at.id, 'true'])
    expect(opened()).toBe(1)
    expect(await ask(empty)).toEqual(['none', 'false'])
    expect(await ask(at)).toEqual([at.id, 'true'])
    expect(opened()).toBe(3)
  })

  it('keep their session after a statement that has freed more memory than they may keep', async () => {
    const { sql, at } = await openSql(await smallLake(), 1)
    const sent = vi.spyOn(SqlProcess.prototype, 'send')
    onTestFinished(() => sent.mockRestore())
    const LARGE = 'select count(distinct md5(i::varchar)) from range(3000000) r(i)'
    for (let round = 0; round < 3; round += 1) {
      const session = await sql.open(at)
      expect(await rowsOf(session, LARGE)).toEqual([['3000000']])
      await session.close()
    }
    expect(sent.mock.calls.filter(([name]) => name === 'open')).toHaveLength(1)
  })

  it('run as many statements at once as the setting names, and the next one in its turn', async () => {
    const { sql, at } = await openSql(await smallLake(), 2)
    const stop = new AbortController()
    const busy = await sql.open(at)
    const endless = rowsOf(
      { check: (text) => busy.check(text), rows: (checked) => busy.rows(checked, stop.signal) },
      ENDLESS,
    )
    endless.catch(() => {})
    const second = await sql.open(at)
    expect(await rowsOf(second, 'select 2')).toEqual([['2']])
    const third = sql.open(at)
    const left = sql.open(at, AbortSignal.timeout(100))
    await expect(left).rejects.toThrow('timeout')
    await second.close()
    expect(await rowsOf(await third, 'select 3')).toEqual([['3']])
    await (await third).close()
    stop.abort(new Error('stopped'))
    await expect(endless).rejects.toThrow('stopped')
    await busy.close()
  })
})
