import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { alteredServer } from '../support/conformance/altered-server.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return runWith({}, ...args)
}

function runWith(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const words = ['--import', 'tsx', 'scripts/conformance.ts', ...args]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      words,
      { cwd: root, env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

describe('npm run conformance', () => {
  it.each([
    [[], /^Exactly one address is needed\./],
    [['localhost:8080'], /^The address is localhost:8080; use one such as http:\/\/127\.0\.0\.1:8080\./],
    [['http://127.0.0.1:9', '--level', 'all'], /^--level is all; use spec or decision\./],
    [['http://127.0.0.1:9', '--chapter', 'x'], /^--chapter is x; use one of data, service, .*\./],
    [['http://127.0.0.1:9', '--timeout', '0'], /^--timeout is 0; use a number of seconds up to 600\./],
    [['http://127.0.0.1:9', '--colour'], /^Unknown option '--colour'/],
  ])('ends with 2 and its usage after %j', async (args, sentence) => {
    const { code, stderr } = await run(...args)
    expect(stderr).toMatch(sentence)
    expect(stderr).toContain('npm run conformance -- http://HOST:PORT')
    expect(code).toBe(2)
  })

  it('reads keys from environment variables, which its options override', async () => {
    const nothing = await buildTestServer(await temporaryFolder())
    const sent = new Set<string | undefined>()
    const { target, close } = await alteredServer(nothing.server, (passing, { headers }) => {
      sent.add(headers.authorization)
      return passing
    })
    const address = target.baseUrl.replace('/v1', '')
    const chapter = ['--chapter', 'authentication']
    await runWith({ CONFORMANCE_KEY: '', CONFORMANCE_PLAIN_KEY: '' }, address, ...chapter)
    expect([...sent]).toEqual([undefined])
    await runWith({ CONFORMANCE_KEY: 'all', CONFORMANCE_PLAIN_KEY: 'plain' }, address, ...chapter)
    expect(sent).toContain('Bearer all')
    expect(sent).toContain('Bearer plain')
    sent.clear()
    await runWith({ CONFORMANCE_KEY: 'all' }, address, ...chapter, '--key', 'other')
    expect(sent).toContain('Bearer other')
    expect(sent).not.toContain('Bearer all')
    await close()
  })

  it('ends with 2 if nothing listens, and with 1 for another server', async () => {
    const nothing = await buildTestServer(await temporaryFolder())
    const { target, close } = await alteredServer(nothing.server, (passing) => passing)
    const address = target.baseUrl.replace('/v1', '')
    const other = await run(address, '--chapter', 'versioning')
    await close()
    expect(other.stdout).toMatch(/\n1 passed, 12 failed of 13 cases at level decision\n$/)
    expect(other.stdout).toContain('The server does not seem to hold this')
    expect(other.code).toBe(1)

    const gone = await run(address)
    expect(gone.stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1 does not answer: connect ECONNREFUSED/)
    expect(gone.code).toBe(2)
  })
})
