import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { OLD_REASON, olderBuild } from '../support/lakes/older-build.ts'
import { frameFile, len, message, num, operational, period } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz'] as const
const unknownVariant = message(period(), len(12, num(1, 5)))
const unknownReason = 'reward variant in field 12 is not known to this build'

/** A lake in which an older build refused two messages that are rows now, and one that is none still. */
async function newLake() {
  const cwd = await temporaryFolder()
  const refused = operational(2)
  writeFileSync(join(cwd, b), frameFile([refused, operational(1), unknownVariant]))
  writeFileSync(join(cwd, a), frameFile([operational(1), refused]))
  await ingestInto(
    join(cwd, 'lake'),
    [a, b].map((name) => join(cwd, name)),
    { openReader: olderBuild((row) => row.amount === 2n) },
  )
  const run = (...args: string[]) => runMain([...args, '--lake', 'lake'], { cwd })
  return { cwd, refused, run }
}

describe('rejects', () => {
  it('lists refused messages in the order of their table, and how many there are', async () => {
    const { refused, run } = await newLake()
    const { code, stdout, stderr } = await run('rejects')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toEqual([
      `iot_reward_share ${a} message 1, ${refused.length} bytes: ${OLD_REASON}`,
      `iot_reward_share ${b} message 0, ${refused.length} bytes: ${OLD_REASON}`,
      `iot_reward_share ${b} message 2, ${unknownVariant.length} bytes: ${unknownReason}`,
      '3 refused in 2 files',
      '',
    ])
  })

  it('prints refused messages as JSON, one object a line, with all their bytes', async () => {
    const { refused, run } = await newLake()
    const { stdout } = await run('rejects', '--json')
    const object = (source_file: string, ordinal: bigint, reason: string, bytes: Buffer) => {
      return {
        source_kind: 'iot_reward_share',
        source_file,
        ordinal,
        reason,
        message: bytes.toString('base64'),
      }
    }
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => readExact(line)),
    ).toEqual([
      object(a, 1n, OLD_REASON, refused),
      object(b, 0n, OLD_REASON, refused),
      object(b, 2n, unknownReason, unknownVariant),
    ])
  })

  it('lists more messages than it reads at once', async () => {
    const cwd = await temporaryFolder()
    const messages = Array.from({ length: 2500 }, (_, amount) => operational(amount))
    writeFileSync(join(cwd, a), frameFile(messages))
    const openReader = olderBuild((row) => row.amount !== 1200n)
    await ingestInto(join(cwd, 'lake'), [join(cwd, a)], { maxRejects: 2500, openReader })
    const { stdout } = await runMain(['rejects', '--json', '--lake', 'lake'], { cwd })
    const ordinals = stdout
      .trimEnd()
      .split('\n')
      .map((line) => readExact<{ ordinal: bigint }>(line).ordinal)
    expect(ordinals).toEqual(messages.map((_, at) => BigInt(at)).filter((ordinal) => ordinal !== 1200n))
  })

  it('that quote a message keep its control characters off the terminal', async () => {
    const cwd = await temporaryFolder()
    const manifest = message(num(2, 1), num(3, 2), len(5, len(1, len(1, '\u001b[2J\u009b'))))
    writeFileSync(join(cwd, 'reward_manifest.1738371600001.gz'), frameFile([manifest]))
    await ingestInto(join(cwd, 'lake'), [cwd])
    const { stdout } = await runMain(['rejects', '--lake', 'lake'], { cwd })
    expect(stdout).toContain('\\u001b[2J\\u009b')
    for (const control of ['\u001b', '\u009b']) expect(stdout).not.toContain(control)
  })

  it('of a lake without rejects prints that there are none', async () => {
    const cwd = await temporaryFolder()
    writeFileSync(join(cwd, a), frameFile([operational(1)]))
    await ingestInto(join(cwd, 'lake'), [join(cwd, a)])
    const list = (...flags: string[]) => runMain(['rejects', ...flags, '--lake', 'lake'], { cwd })
    expect(await list()).toEqual({ code: 0, stdout: 'lake has no refused messages.\n', stderr: '' })
    expect(await list('--json')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each([['rejects'], ['ingest', '--retry-rejects']])(
    '%s %s without a lake ends with 4',
    async (...words) => {
      const cwd = await temporaryFolder()
      const { code, stderr } = await runMain([...words, '--lake', 'lake'], { cwd })
      expect([code, stderr]).toEqual([
        4,
        expect.stringContaining('There is no lake at lake; make one with: '),
      ])
      expect(existsSync(join(cwd, 'lake'))).toBe(false)
    },
  )
})

describe('ingest --retry-rejects', () => {
  it('stores the messages that are valid now, and keeps the rest as rejects', async () => {
    const { run } = await newLake()
    const retry = await run('ingest', '--retry-rejects')
    expect([retry.code, retry.stderr]).toEqual([0, ''])
    expect(retry.stdout).toMatch(
      /^3 refused messages decoded again: 2 ingested, 1 still refused, in \d+\.\d s\n$/,
    )
    expect((await run('rejects')).stdout).toMatch(
      new RegExp(`^iot_reward_share ${b} message 2.*\\n1 refused in 1 file\\n$`),
    )
    const { stdout } = await run('status', '--json')
    const { tables } = JSON.parse(stdout) as { tables: Record<string, unknown>[] }
    expect(tables).toMatchObject([
      { table: 'iot_reward_shares', rows: 4, refused: 1 },
      { table: 'rejects', rows: 1 },
    ])
  })

  it('prints its result as JSON with --json', async () => {
    const { run } = await newLake()
    const { stdout } = await run('ingest', '--retry-rejects', '--json')
    expect(JSON.parse(stdout)).toEqual({
      retry: { rejects: 3, taken: 2, refused: 1, leftAlone: 0, seconds: expect.any(Number) },
    })
  })

  it('prints how many rejected records of the archive it does not retry', async () => {
    const { cwd, run } = await newLake()
    mkdirSync(join(cwd, 'rewards'))
    const record = (amount: string) => `7,hash,1600000000,account,gateway,${amount},poc_witness\n`
    writeFileSync(join(cwd, 'rewards', 'data_xaa.csv'), record('5') + record('5.5'))
    await run('ingest', 'rewards')
    const { code, stdout } = await run('ingest', '--retry-rejects')
    expect(code).toBe(0)
    expect(stdout).toContain('1 refused record left alone: ingest a corrected file with --replace\n')
  })

  it('with paths ingests their files first', async () => {
    const { cwd, run } = await newLake()
    const c = 'iot_reward_share.1738371600003.gz'
    writeFileSync(join(cwd, c), frameFile([operational(1), unknownVariant]))
    const { code, stdout } = await run('ingest', c, '--retry-rejects', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      stored: 1,
      rows: 1,
      retry: { rejects: 4, taken: 2, refused: 2 },
    })
  })

  it('exits with 3 for a failing path and still retries the rejects', async () => {
    const { cwd, run } = await newLake()
    const c = 'iot_reward_share.1738371600003.gz'
    writeFileSync(join(cwd, c), 'no gzip')
    const { code, stdout } = await run('ingest', c, '--retry-rejects')
    expect(code).toBe(3)
    expect(stdout).toContain('3 refused messages decoded again: 2 ingested')
  })
})
