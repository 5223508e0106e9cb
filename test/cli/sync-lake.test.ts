import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features } from '../../src/catalog/feature.ts'
import { readSources } from '../../src/operate/sync/source-status.ts'
import { compact } from '../../src/write/compact/compact.ts'
import { contentOf, wholeLakeId } from '../support/lakes/lake-content.ts'
import { refusingLake } from '../support/lakes/refusing-lake.ts'
import { shareLake } from '../support/lakes/shared-copy.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { runMain } from '../support/servers/run-main.ts'
import { runProgram, startProgram, startServing } from '../support/servers/run-program.ts'
import { share, sharingOf } from '../support/servers/sharing.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('sync lake', () => {
  it('copies a lake with the key of the environment, and a second run prints that nothing is new', async () => {
    const there = await smallLake()
    const gated = await gatedServer(there, { options: sharingOf(there, { isOpen: false }) })
    const key = await gated.newKey({ features: [...features, 'Share'] })
    const address = await gated.test.server.listen({ port: 0, host: '127.0.0.1' })
    const cwd = await temporaryFolder()
    const args = ['sync', 'lake', '--url', `${address}/`, '--lake', 'copy']
    const refused = await runMain(args, { cwd })
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining('answers 401: it wants an API key; set LEDGERLAKE_SYNC_KEY'),
    ])
    const around = { cwd, env: { LEDGERLAKE_SYNC_KEY: key } }
    const { code, stdout, stderr } = await runProgram([...args, '--json'], around)
    const snapshot = await wholeLakeId(there)
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { commits: expect.any(Number), files: expect.any(Number), bytes: expect.any(Number), snapshot },
    ])
    expect(stdout + stderr).not.toContain(key)
    expect(await wholeLakeId(join(cwd, 'copy'))).toBe(snapshot)
    const again = await runProgram(args, around)
    const name = `${address}/delta-sharing`
    expect(again).toMatchObject({ code: 0, stdout: `${name}: nothing new since snapshot ${snapshot}\n` })
    expect(await readSources(join(cwd, 'copy/_state'))).toEqual([
      { address: name, doneAt: expect.any(Number), problem: null, refused: 0, missing: 0, usage: null },
    ])
  })

  it('follows commits when repeated, and a server over the copy serves them', async () => {
    const { folder, addDays } = await refusingLake(1)
    const address = await shareLake(folder)
    const cwd = await temporaryFolder()
    const source = `lake --url ${address} --every 1s`
    const served = await startServing(['--port', '0', '--lake', 'copy', '--sync', source], { cwd })
    const total = async () => {
      const reply = await fetch(
        `${served.address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-12-31`,
      )
      return reply.status === 200 ? await reply.text() : ''
    }
    await expect.poll(total).toContain('beacon_amount":210')
    await addDays(1)
    await expect.poll(total).toContain('beacon_amount":420')
    await expect
      .poll(async () => await (await fetch(`${served.address}/metrics`)).text())
      .toContain(`source="${address}/delta-sharing"`)
    expect(await wholeLakeId(join(cwd, 'copy'))).toBe(await wholeLakeId(folder))
  })

  it('with --every removes old files of the copy without a commit, and ends with 0', async () => {
    const { folder } = await refusingLake(3)
    const address = await shareLake(folder)
    const cwd = await temporaryFolder()
    const args = ['sync', 'lake', '--url', address, '--lake', 'copy']
    expect((await runMain(args, { cwd })).code).toBe(0)
    await compact({ lake: folder, months: ['2025-01'], openWriter: openTestWriter })
    const id = await wholeLakeId(folder)
    await expect.poll(async () => (await fetch(`${address}${share}/snapshot`)).text()).toContain(id)
    const running = startProgram([...args, '--every', '1s', '--keep-hours', '0'], { cwd })
    await expect.poll(() => running.stdout()).toMatch(/ 3 old files removed\n/)
    running.child.kill('SIGTERM')
    expect(await running.finished).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`snapshot ${id}`),
    })
    expect(await wholeLakeId(join(cwd, 'copy'))).toBe(id)
  })

  it('does not let other commands commit to the copy, nor other lakes use its folder', async () => {
    const [one, two] = [await refusingLake(1), await refusingLake(2)]
    const [first, second] = [await shareLake(one.folder), await shareLake(two.folder)]
    const cwd = await temporaryFolder()
    const sync = (url: string, lake: string) =>
      runMain(['sync', 'lake', '--url', url, '--lake', lake], { cwd })
    expect((await sync(first, 'copy')).code).toBe(0)
    const before = contentOf(join(cwd, 'copy'))
    const ingest = await runMain(['ingest', join(one.folder, '../day-0'), '--lake', 'copy', '--replace'], {
      cwd,
    })
    expect([ingest.code, ingest.stderr]).toEqual([
      4,
      `ledgerlake: copy is a copy of ${first}/delta-sharing; commits are made there.\n`,
    ])
    expect(await sync(second, 'copy')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/copy is a copy of \S+, not of \S+; use another folder/),
    })
    expect(await sync(second, one.folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has commits of its own, so it is not a copy of'),
    })
    const tables = ([path]: [string, string]) => !path.startsWith('_state')
    const after = contentOf(join(cwd, 'copy'))
    expect(Object.entries(after).filter(tables)).toEqual(Object.entries(before).filter(tables))
  })

  it('marks no folder for an address where there is no lake to copy', async () => {
    const lake = join(await temporaryFolder(), 'copy')
    const shared = await shareLake((await refusingLake(1)).folder)
    const { code, stderr } = await runMain(['sync', 'lake', '--url', `${shared}/v1`, '--lake', lake])
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('answers 404: it has no lake to copy; --url is the address of a ledgerlake'),
    ])
    expect((await runMain(['sync', 'lake', '--url', shared, '--lake', lake])).code).toBe(0)
  })

  it.each([
    [['--url', 'ftp://x'], 'Use an address such as https://lake.example.org'],
    [['--url', 'https://user@x'], 'without a user'],
    [[], "required option '--url <url>' not specified"],
    [['--url', 'http://x', '--budget', '5'], "unknown option '--budget'"],
  ])('%j exits with 2 and says what to use', async (flags, sentence) => {
    const { code, stdout, stderr } = await runMain(['sync', 'lake', ...flags, '--lake', 'none'])
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)])
  })
})
