import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExpected } from '../support/fixtures.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import type { FileLine } from '../support/servers/sharing.ts'
import { askEachWorker, workersOf } from '../support/servers/workers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const whole = ['--features', 'HotspotData,OracleData,Aggregates,Share']
let cwd: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  await copySmallLake(join(cwd, 'lake'))
})

const add = (...flags: string[]) => runMain(['keys', 'add', '--lake', 'lake', ...flags], { cwd })
const keyNames = async () =>
  (await runMain(['keys', 'list', '--json', '--lake', 'lake'], { cwd })).stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).name)

describe('keys add --profile', () => {
  it('writes the key to a profile that only its owner can read, and prints it nowhere', async () => {
    const url = 'https://lake.example.org/base/'
    const { code, stdout, stderr } = await add('--name', 'one', '--profile', 'one.share', '--url', url)
    expect([code, stderr]).toEqual([0, ''])
    const profile = JSON.parse(readFileSync(join(cwd, 'one.share'), 'utf8'))
    expect(profile).toEqual({
      shareCredentialsVersion: 1,
      endpoint: 'https://lake.example.org/base/delta-sharing',
      bearerToken: expect.stringMatching(/^ll_[\da-f]{12}_[\da-f]{64}$/),
    })
    expect(statSync(join(cwd, 'one.share')).mode & 0o777).toBe(0o600)
    expect(stdout).toContain('Key of one, HotspotData, OracleData, Aggregates, Share; no limits.')
    expect(stdout).not.toContain(profile.bearerToken)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('one.share')
  })

  it('does not overwrite a file, and then creates no key', async () => {
    writeFileSync(join(cwd, 'there.share'), 'mine')
    const { code, stderr } = await add(
      '--name',
      'two',
      ...whole,
      '--profile',
      'there.share',
      '--url',
      'http://a',
    )
    expect([code, stderr]).toEqual([
      2,
      'ledgerlake: The profile there.share cannot be written: it is there already; name a file that is not.\n',
    ])
    expect(readFileSync(join(cwd, 'there.share'), 'utf8')).toBe('mine')
    expect(await keyNames()).not.toContain('two')
  })

  it('leaves no file if no key is created', async () => {
    const { code } = await add('--name', 'one', ...whole, '--profile', 'again.share', '--url', 'http://a')
    expect([code, existsSync(join(cwd, 'again.share'))]).toEqual([2, false])
  })

  it.each([
    [
      ['--features', 'HotspotData', '--profile', 'x.share', '--url', 'http://a'],
      '--profile is for a key with the feature Share; name it in --features, or leave --features out.',
    ],
    [
      [...whole, '--profile', 'x.share'],
      '--profile needs --url, the address by which the recipient knows the server.',
    ],
    [[...whole, '--url', 'http://a'], '--url is the address in a profile; give --profile FILE too.'],
    [
      [...whole, '--profile', 'x.share', '--url', 'lake.example.org'],
      '--url is "lake.example.org"; use an address such as https://lake.example.org.',
    ],
    [
      [...whole, '--lookback', '30'],
      'Delta Sharing reads every table from its beginning, so the feature Share is not for keys with a look-back; this one has 30 days.',
    ],
    [
      ['--features', 'OracleData,Share'],
      'Delta Sharing reads every table, so the feature Share is for keys with HotspotData, OracleData, Aggregates; this one lacks HotspotData and Aggregates.',
    ],
    [
      [...whole, '--profile', 'none/x.share', '--url', 'http://a'],
      'The profile none/x.share cannot be written: no such file or folder: none/x.share.',
    ],
  ])('refuses %s', async (flags, sentence) => {
    const before = await keyNames()
    const { code, stderr } = await add('--name', 'refused', ...flags)
    expect([code, stderr]).toEqual([2, `ledgerlake: ${sentence}\n`])
    expect(await keyNames()).toEqual(before)
    expect(existsSync(join(cwd, 'x.share'))).toBe(false)
  })
})

describe('a server of two workers that shares its lake', () => {
  it('accepts addresses signed by any worker, even after a restart, and only its owner can read its secret', async () => {
    await add('--name', 'reader', ...whole, '--profile', 'reader.share', '--url', 'http://127.0.0.1')
    const { bearerToken } = JSON.parse(readFileSync(join(cwd, 'reader.share'), 'utf8'))
    const flags = ['--lake', 'lake', '--port', '0', '--share', '--workers', '2']
    const served = await startServing(flags, { cwd })
    const headers = { authorization: `Bearer ${bearerToken}` }
    const query = '/delta-sharing/shares/ledgerlake/schemas/default/tables/iot_reward_shares/query'
    const reply = await fetch(served.address + query, { method: 'POST', headers, body: '{}' })
    const files = (await reply.text())
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => JSON.parse(line).file as FileLine)
    expect(files.reduce((sum, { stats }) => sum + JSON.parse(stats).numRecords, 0)).toBe(
      readExpected().counts.iot,
    )
    const workers = workersOf(served.child.pid)
    expect(workers).toHaveLength(2)
    for (const { url, size } of files) {
      expect(url.startsWith(`${served.address}/delta-sharing/files/`)).toBe(true)
      const answers = await askEachWorker(served.address, workers, url.slice(served.address.length))
      expect([...answers.values()].map((body) => body.startsWith('PAR1'))).toEqual([true, true])
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(size)
    }
    const secret = join(cwd, 'lake/_keys/keys.share-secret')
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    served.child.kill('SIGTERM')
    await served.finished
    const next = await startServing(flags, { cwd })
    const [{ url } = { url: '' }] = files
    const moved = url.replace(served.address, next.address)
    expect((await fetch(moved)).status).toBe(200)
    expect(readFileSync(secret, 'utf8')).toMatch(/^[\da-f]{64} [\w-]{4}\n$/)
  })

  it('does not start with a damaged secret, and verify reports the damage', async () => {
    const place = join(cwd, 'lake/_keys/keys.share-secret')
    const kept = readFileSync(place)
    const sound = (await runMain(['verify', '--lake', 'lake'], { cwd })).stdout
    expect(sound).toContain('lake is sound')
    expect(sound).not.toContain('share-secret')
    const flipped = Buffer.from(kept)
    // A digit stays a digit.
    flipped.writeUInt8(flipped.readUInt8(5) ^ (flipped.readUInt8(5) === 0x61 ? 2 : 1), 5)
    writeFileSync(place, flipped)
    const flags = ['--lake', 'lake', '--port', '0', '--share', '--workers', '1']
    const { code, stderr } = await runMain(['serve', ...flags], { cwd })
    expect([code, stderr]).toEqual([
      2,
      'ledgerlake: lake/_keys/keys.share-secret holds no secret for addresses of shared files; delete it, and the next start makes a new one.\n',
    ])
    const verified = await runMain(['verify', '--lake', 'lake'], { cwd })
    expect([verified.code, verified.stdout]).toEqual([
      4,
      expect.stringMatching(
        /fault, keys: _keys\/keys\.share-secret\n {2}It is not as it was written, so serve --share does not start\.\n/,
      ),
    ])
    writeFileSync(place, kept)
    chmodSync(place, 0o644)
    const doctor = await runMain(['doctor', '--lake', 'lake'], { cwd })
    expect(doctor.stdout).toContain(
      'lake/_keys/keys.share-secret has the mode 644, so other users may read it.',
    )
  })
})
