import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readSources } from '../../src/operate/sync/source-status.ts'
import { makerRecord } from '../support/messages/record-files.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startProgram } from '../support/servers/run-program.ts'
import { listing, openListService } from '../support/sync/list-service.ts'
import { rowsIn } from '../support/sync/records-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const addresses = ['a', 'b', 'c', 'd']
const records = addresses.map((address) => JSON.stringify(makerRecord(address)))

async function addressesIn(lake: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const rows of rowsIn(lake, 'makers')) found.push(...rows.map(({ address }) => address))
  return found.sort()
}

describe('sync makers', () => {
  it('resumes at the second page after a kill, with the key of the environment', async () => {
    const list = listing(records, 1)
    let isWaiting = () => {}
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve
    })
    // The third page never comes.
    const service = await openListService((asked, reply, request) =>
      asked.page === 3 ? isWaiting() : list(asked, reply, request),
    )
    const cwd = await temporaryFolder()
    const args = ['sync', 'makers', '--url', service.address, '--rate', '6000', '--lake', 'lake', '--json']
    vi.stubEnv('LEDGERLAKE_SYNC_KEY', 'hush')
    onTestFinished(() => void vi.unstubAllEnvs())
    const killed = startProgram(args, { cwd, env: { LEDGERLAKE_SYNC_KEY: 'hush' } })
    await waiting
    killed.child.kill('SIGKILL')
    await killed.finished
    service.answer = list
    service.asked.length = 0
    const { code, stdout, stderr } = await runMain(args, { cwd })
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(JSON.parse(stdout)).toMatchObject({ records: 4, changed: 4, requests: 2, pages: 4, left: [] })
    expect(service.asked.map(({ page, authorization }) => [page, authorization])).toEqual([
      ...[
        [3, 'Bearer hush'],
        [4, 'Bearer hush'],
      ],
    ])
    expect(await addressesIn(join(cwd, 'lake'))).toEqual(addresses)
    expect(stdout + stderr).not.toContain('hush')
    const again = await runMain(args, { cwd })
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { records: 4, changed: 0 }])
  })

  it('repeats after errors until it is stopped', async () => {
    const list = listing(records, 4)
    const service = await openListService((asked, reply, request) =>
      service.asked.length === 2 ? reply.writeHead(403).end() : list(asked, reply, request),
    )
    const cwd = await temporaryFolder()
    const args = [
      'sync',
      'makers',
      '--url',
      service.address,
      '--rate',
      '6000',
      '--every',
      '1s',
      '--lake',
      'lake',
    ]
    const running = startProgram(args, { cwd })
    await expect.poll(() => service.asked.length).toBeGreaterThan(2)
    await expect.poll(() => running.stdout()).toMatch(/ 0 new or different/)
    running.child.kill('SIGTERM')
    const { code, stdout, stderr } = await running.finished
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('answers 403: the key in LEDGERLAKE_SYNC_KEY lacks'),
    ])
    expect(stdout).toMatch(
      /^makers of http:\S+: 4 records on 1 pages, 4 new or different, 0 removed, 1 requests\nas many as/,
    )
  })

  it('ends with 3 and a sentence if the service refuses, or if a record is not stored', async () => {
    const service = await openListService((_, reply) => reply.writeHead(402, { 'retry-after': '60' }).end())
    const lake = join(await temporaryFolder(), 'lake')
    const args = ['sync', 'makers', '--url', service.address, '--lake', lake]
    expect(await runMain(args)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there are more in 60 s'),
    })
    const problem = expect.stringContaining('there are more in 60 s')
    expect((await readSources(join(lake, '_state')))[0]).toMatchObject({ doneAt: null, problem, usage: null })
    service.answer = listing([...records, '{"address":"e"}'], 5)
    const { code, stdout } = await runMain(args)
    expect([code, stdout]).toEqual([3, expect.stringMatching(/left: e: \w+ is missing/)])
    const sources = await readSources(join(lake, '_state'))
    expect(sources).toMatchObject([
      { address: expect.stringContaining('makers'), doneAt: expect.any(Number), problem: null },
    ])
  })
})

describe('sync', () => {
  it.each([
    [
      ['sync', 'rewards', '--lake', 'x'],
      'Use s3://BUCKET or s3://BUCKET/FOLDER; or makers or hotspots or lake and --url.',
    ],
    [['sync', 'hotspots', '--lake', 'x'], "required option '--url <url>' not specified"],
    [['sync', 'hotspots', '--url', 'ftp://x'], 'Use an address such as https://api.example.org/v1/net'],
    [['sync', 'hotspots', '--url', 'http://x', '--rate', '0'], 'Use a whole number, 1 or more.'],
    [['sync', 'hotspots', '--url', 'http://x', '--budget', '5'], "unknown option '--budget'"],
    [['sync', 's3://bucket', '--url', 'http://x'], "unknown option '--url'"],
  ])('%j exits with 2 and says what to use', async (args, sentence) => {
    expect(await runMain(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    })
  })
})
