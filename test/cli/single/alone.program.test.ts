import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { aloneWith } from '../../support/alone.ts'
import { corpusInputs, readCorpus } from '../../support/conformance/corpus.ts'
import { reportConformance } from '../../support/conformance/report.ts'
import { browserPath } from '../../support/servers/browser.ts'
import { tryGraphqlPage } from '../../support/servers/try-graphql-page.ts'
import { some } from '../../support/some.ts'

const program = resolve(process.env.PROGRAM_UNDER_TEST ?? 'release/ledgerlake')
const isRoot = process.getuid?.() === 0

it.runIf(isRoot)(
  'the executable in an empty root passes the conformance program and serves the page for GraphQL',
  async () => {
    const alone = await aloneWith(program)
    for (const [index, path] of some(corpusInputs).entries()) alone.put(path, `/input/${index}`)
    const ingest = alone.start('ingest', '/input', '--lake', '/data/lake')
    expect(await ingest.ended, ingest.stdout()).toBe(0)
    const server = alone.start('serve', '--lake', '/data/lake', '--port', '0')
    await expect.poll(server.stdout).toMatch(/ at (http:\S+)\/\n/)
    const [, address = ''] = / at (http:\S+)\/\n/.exec(server.stdout()) ?? []
    const target = {
      baseUrl: `${address}/v1`,
      graphqlUrl: `${address}/graphql`,
      network: 'net',
      timeoutMs: 30_000,
    }
    const told: string[] = []
    const options = { key: undefined, plainKey: undefined }
    const report = await reportConformance(readCorpus(), [], { ...target, ...options }, 'decision', (line) =>
      told.push(line),
    )
    expect(report.failed, told.join('\n')).toBe(0)
    expect(report.passed).toBeGreaterThan(300)
    expect(await (await fetch(`${address}/docs`)).text()).toContain('iot-reward-shares')
    expect(await (await fetch(`${address}/guide/asking`)).text()).toContain('<h1 id="asking">Asking</h1>')
    if (browserPath !== undefined) await tryGraphqlPage(address)
    expect(readdirSync(join(alone.root, 'tmp'))).toEqual(['ledgerlake-65534'])
    expect(readdirSync(alone.root).sort()).toEqual([
      'a folder',
      'data',
      'input',
      'lib',
      'lib64',
      'proc',
      'tmp',
    ])
  },
)
