import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { smallOracle } from '../support/fixtures.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import { awsEnvironment, openTestBucket } from '../support/sync/bucket-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function oracleBucket() {
  const bucket = await openTestBucket()
  bucket.putAll(smallOracle)
  return { bucket, source: [`s3://${bucket.bucket}`, '--endpoint', bucket.endpoint, '--requester-pays'] }
}

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

describe('ledgerlake sync', () => {
  it('prints the cost, then fetches, and finds nothing new when repeated', async () => {
    const [{ source }, around] = [await oracleBucket(), { cwd: await temporaryFolder() }]
    const estimate = await runMain(['sync', ...source, '--estimate', '--lake', 'lake'], around)
    expect([estimate.code, estimate.stdout]).toEqual([
      0,
      expect.stringContaining('20 files to fetch, 131511 bytes'),
    ])
    const first = await runMain(['sync', ...source, '--lake', 'lake'], around)
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('20 files listed, 20 fetched, 20 stored, 1513 rows'),
    ])
    const again = await runMain(['sync', ...source, '--lake', 'lake', '--json'], around)
    expect(JSON.parse(again.stdout)).toMatchObject({ fetched: 0, left: [], totalNanos: expect.any(String) })
    const status = await runMain(['status', '--lake', 'lake', '--json'], around)
    expect(JSON.parse(status.stdout).sources).toEqual([
      {
        ...{ address: source[0], problem: null, refused: 0, missing: 0 },
        ...{ doneAt: expect.stringMatching(/^20\d\d-/), lists: 39, reads: 20, bytes: '131511' },
      },
    ])
  })

  it('ends with 3 and advises a higher --budget when the budget is spent', async () => {
    const [{ source }, cwd] = [await oracleBucket(), await temporaryFolder()]
    const { code, stdout } = await runMain(
      ['sync', ...source, '--lake', 'lake', '--budget', '1', '--read-price', '100', '--list-price', '0'],
      { cwd },
    )
    expect(code).toBe(3)
    expect(stdout).toContain('The budget is spent; a higher --budget goes on from here.')
    expect(stdout).toContain('20 files listed, 9 fetched')
  })

  it.each([
    [['data'], 'Use s3://BUCKET or s3://BUCKET/FOLDER; or makers or hotspots or lake and --url.'],
    [['s3://net', '--budget', 'five'], 'Use US dollars with at most nine decimals, such as 5.00.'],
    [['s3://net', '--every', '15'], 'Use a time such as 90s, 15m or 2h.'],
    [['s3://net', '--from', 'May'], 'Use a day or an instant, such as 2026-07-01'],
    [['s3://net', '--endpoint', 'host:1'], 'Use an address such as https://s3.example.org:9000.'],
    [['s3://net', '--every', '1h', '--estimate'], '--every has no effect with it'],
  ])('%j exits with 2 and says what to use', async (words, advice) => {
    const { code, stderr } = await runMain(['sync', ...words])
    expect([code, stderr]).toEqual([2, expect.stringContaining(advice)])
  })
})

it('a server with --sync creates the lake, updates it, and has metrics of the progress of its sources', async () => {
  const [{ bucket, source }, cwd] = [await oracleBucket(), await temporaryFolder()]
  const given = ['--lake', 'lake', '--port', '0', '--sync', `${source.join(' ')} --every 1s`]
  const { address, stdout } = await startServing(given, { cwd })
  await expect
    .poll(stdout)
    .toContain(
      'It is empty and waits for its sources: s3://network-files; ledgerlake status --lake lake shows',
    )
  const path = `${address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-28T00:00:00Z&to=2025-02-01T00:00:00Z`
  const totals = async () => await (await fetch(path)).text()
  await expect.poll(totals).toContain('"total_amount":36403378988914885')
  const runs = () => bucket.requests.filter((request) => request === 'list  ').length
  await expect.poll(runs).toBeGreaterThan(1)
  const metrics = async () => await (await fetch(`${address}/metrics`)).text()
  await expect.poll(metrics).toMatch(/ledgerlake_sync_failing\{source="s3:\/\/network-files"\} 0/)
  expect(await metrics()).toMatch(/ledgerlake_sync_bytes_total\{source="s3:\/\/network-files"\} 131511/)
})
