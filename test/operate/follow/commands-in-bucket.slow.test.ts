import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { smallNetwork } from '../../support/fixtures.ts'
import { openLakeBucket } from '../../support/lakes/bucket-lakes.ts'
import { runProgram } from '../../support/servers/run-program.ts'
import { awsEnvironment } from '../../support/sync/bucket-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const range = ['--from', '2025-01-01', '--to', '2025-03-01']

/** Commands over a lake; those that write leave it with the same rows. */
const commands: readonly (readonly string[])[] = [
  ['status'],
  ['doctor'],
  ['rejects'],
  ['sql', 'select count(*) from iot_rewards', '--format', 'csv'],
  ['export', 'iot_reward_shares', '--format', 'csv', '--out', '-', ...range],
  ['views', '--out', 'views.duckdb'],
  ['verify'],
  ['verify', '--repair'],
  ['backup', '--to', 'backups'],
  ['ingest', '--retry-rejects'],

  ['compact'],
  ['compact', '--month', '2025-02'],
  ['vacuum', '--keep-hours', '0'],
]

/** Data files of a copy, which its log names. */
const dataFiles = (copy: string) =>
  readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\/part-[^/]*\.parquet$/.test(path),
  )

describe('a command over a lake in a bucket', () => {
  it.each([
    ['whose copy lacks every data file', []],
    ['whose copy has room for one megabyte', ['--lake-copy-mb', '1']],
  ])('%s succeeds and reports no file as missing', async (_, flags) => {
    const bucket = await openLakeBucket()
    const cwd = await temporaryFolder()
    const env = { ...awsEnvironment, LEDGERLAKE_LAKE_ENDPOINT: bucket.endpoint }
    const copy = join(cwd, 'copy')
    const lake = ['--lake', `s3://${bucket.bucket}/lake`, '--lake-copy', copy]
    const run = (words: readonly string[]) => runProgram([...words, ...lake], { cwd, env })
    expect(await run(['ingest', smallNetwork])).toMatchObject({ code: 0 })
    const outcomes: unknown[] = []
    for (const words of commands) {
      for (const path of dataFiles(copy)) rmSync(join(copy, path))
      const { code, stdout, stderr } = await run([...words, ...(words[0] === 'keys' ? [] : flags)])
      const faults =
        `${stdout}\n${stderr}`.match(/.*(scrambled|parquet is missing|is damaged|restore it).*/g) ?? []
      outcomes.push([words[0], code, code === 0 ? '' : stderr, faults])
    }
    expect(outcomes).toEqual(commands.map(([name]) => [name, 0, '', []]))
  })
})
