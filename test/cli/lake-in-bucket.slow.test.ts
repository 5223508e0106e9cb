import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openLakeBucket } from '../support/lakes/bucket-lakes.ts'
import { thirtyShares, writeOracleFiles } from '../support/lakes/make-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { runProgram, startServing } from '../support/servers/run-program.ts'
import { awsEnvironment } from '../support/sync/bucket-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function bucketAndMachines() {
  const bucket = await openLakeBucket()
  const cwd = await temporaryFolder()
  const env = { ...awsEnvironment, LEDGERLAKE_LAKE_ENDPOINT: bucket.endpoint }
  const flags = (machine: string) => [
    '--lake',
    `s3://${bucket.bucket}/lake`,
    '--lake-copy',
    join(cwd, machine),
  ]
  const run = (machine: string, words: readonly string[]) =>
    runProgram([...words, ...flags(machine)], { cwd, env })
  async function ingestDay(day: string) {
    const input = join(cwd, day)
    const name = `iot_network_reward_shares_v1.${Date.parse(`${day}T00:00:00Z`)}.gz`
    await writeOracleFiles(input, { [name]: thirtyShares(day) })
    const { code, stderr } = await run('writer', ['ingest', input])
    if (code !== 0) throw new Error(stderr)
  }
  return { bucket, cwd, env, flags, run, ingestDay }
}

const PATH = '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-03-01&per_page=30'

/** Asks until a reply is as it should be; what came last when it never is. */
async function until(address: string, isIt: (text: string) => boolean): Promise<string> {
  let text = ''
  for (let tries = 0; tries < 200; tries += 1) {
    text = await (await fetch(address)).text()
    if (isIt(text)) break
    await setTimeout(100)
  }
  return text
}

describe('a lake in a bucket', () => {
  it('is served while another machine ingests, and while the store is unreachable', async () => {
    const { bucket, cwd, env, flags, run, ingestDay } = await bucketAndMachines()
    await ingestDay('2025-01-30')
    const server = await startServing([...flags('server'), '--port', '0', '--lake-poll-ms', '100'], {
      cwd,
      env,
    })
    expect(server.stdout()).toContain(`ledgerlake serves s3://${bucket.bucket}/lake at ${server.address}/`)
    const pages = (count: number) => (text: string) => text.includes(`"total_pages":${count},`)
    expect(await until(server.address + PATH, pages(1))).toContain('"total_pages":1,')
    await ingestDay('2025-01-31')
    expect(await until(server.address + PATH, pages(2))).toContain('"total_pages":2,')
    await ingestDay('2025-02-01')
    expect(await until(server.address + PATH, pages(3))).toContain('"total_pages":3,')
    bucket.faults = () => 'denied'
    await expect.poll(() => server.stderr()).toContain('access is denied')
    for (let page = 1; page <= 3; page += 1)
      expect((await fetch(`${server.address}${PATH}&page=${page}`)).status).toBe(200)
    const status = await runProgram(['status', '--json', '--lake', join(cwd, 'server')], { cwd, env })
    expect(JSON.parse(status.stdout)).toMatchObject({
      kept: null,
      keptFault: expect.stringContaining('access is denied'),
    })
    expect(JSON.parse(status.stdout).sources).toEqual([
      expect.objectContaining({
        address: `s3://${bucket.bucket}/lake`,
        problem: expect.stringContaining('denied'),
      }),
    ])
    const refused = await run('server', ['status'])
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('access is denied')])
    const late = await startServing([...flags('server'), '--port', '0'], { cwd, env })
    expect(late.stderr()).toContain('The server uses the last copy until the bucket answers')
    expect(await until(late.address + PATH, pages(3))).toContain('"total_pages":3,')
  })

  it('can be compacted, verified, queried and vacuumed from any machine', async () => {
    const { cwd, run, ingestDay } = await bucketAndMachines()
    for (const day of ['2025-01-29', '2025-01-30', '2025-01-31']) await ingestDay(day)
    const compacted = await run('other', ['compact', '--month', '2025-01', '--json'])
    expect(JSON.parse(compacted.stdout).partitions).toMatchObject([
      { filesBefore: 3, filesAfter: 1, rows: 90 },
    ])
    expect((await run('third', ['verify'])).code).toBe(0)
    const sum = await run('fourth', [
      'sql',
      'select sum(beacon_amount) as paid from iot_reward_shares',
      '--format',
      'csv',
    ])
    expect(sum.stdout).toBe('paid\n630\n')
    await run('third', ['backup', '--to', join(cwd, 'backup')])
    expect(await run('third', ['restore', '--from', join(cwd, 'backup'), '--replace'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('restore to a folder that is none'),
    })
    const vacuumed = await run('writer', ['vacuum', '--keep-hours', '0', '--json'])
    expect(JSON.parse(vacuumed.stdout).tables).toMatchObject([
      { table: 'iot_reward_shares', paths: { length: 3 } },
    ])
    expect((await run('fifth', ['verify'])).code).toBe(0)
  })

  it.each([
    ['s3://', /is not the address of a lake in a bucket; use one such as s3:\/\/bucket\/lake/],
    ['s3://UPPER/lake', /is not the address of a lake in a bucket/],
  ])('%s exits with 2 and an error that says what to use', async (lake, sentence) => {
    const { code, stderr } = await runMain([
      'status',
      '--lake',
      lake,
      '--lake-copy',
      join(await temporaryFolder(), 'copy'),
    ])
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
  })
})
