import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Alter, alteredServer, type Passing } from '../support/conformance/altered-server.ts'
import type { Target } from '../support/conformance/ask.ts'
import { corpusInputs, type Level, readCorpus } from '../support/conformance/corpus.ts'
import { reportConformance } from '../support/conformance/report.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const corpus = readCorpus()
const chaptersNamed = (...names: readonly string[]) => corpus.filter(({ name }) => names.includes(name))

/** Replaces the text of replies that are pages or records; what is refused stays as it is. */
const rewriting =
  (rewrite: (text: string) => string): Alter =>
  (passing) => ({ ...passing, text: rewrite(passing.text) })

describe('a server is judged by the corpus', () => {
  let own: TestServer

  beforeAll(async () => {
    const folder = await temporaryFolder()
    await ingestInto(folder, corpusInputs)
    own = await buildTestServer(folder)
  })

  /** What is reported of a server that alters each answer. */
  async function judge(
    alter: Alter,
    chapters: readonly string[],
    { level = 'decision', ...more }: Partial<Target> & { readonly level?: Level } = {},
  ) {
    const { target, close } = await alteredServer(own.server, alter)
    onTestFinished(close)
    const lines: string[] = []
    const named = chaptersNamed('data', ...chapters)
    const counts = await reportConformance(named, ['A', 'B'], { ...target, ...more }, level, (line) =>
      lines.push(line),
    )
    return { ...counts, text: lines.join('\n') }
  }

  it('passes if nothing is altered, with one line at the end', async () => {
    const { failed, text } = await judge((passing) => passing, ['limits-and-pagination', 'totals'])
    expect(failed).toBe(0)
    expect(text).toMatch(/\n92 passed, 0 failed of 92 cases at level decision$/)
    expect(text).toContain('and nothing else:\n  A\n  B\n')
  })

  it('fails when count is the number of rows on all pages', async () => {
    const { text } = await judge(
      rewriting((body) => body.replace(/"count":50,"total_pages":5/, '"count":250,"total_pages":5')),
      ['limits-and-pagination'],
    )
    expect(text).toMatch(
      /- When page=2 and per_page=50 are given .*\n +GET http:\S+page=2&per_page=50\n +body meta\.count: expected 50\n +found +250\n/,
    )
  })

  it('fails when a file lacks a row, or has its rows in another order', async () => {
    const lines = (change: (all: string[]) => string[]): Alter => {
      return (passing) => {
        if (!passing.type.startsWith('application/x-ndjson')) return passing
        return { ...passing, text: `${change(passing.text.trimEnd().split('\n')).join('\n')}\n` }
      }
    }
    for (const change of [(all: string[]) => all.slice(1), (all: string[]) => all.reverse()]) {
      const { failed, text } = await judge(lines(change), ['l2-operations'])
      expect(failed).toBe(1)
      expect(text).toContain('format=ndjson has the rows of the pages in their order')
    }
  })

  it('fails when amounts pass through a double', async () => {
    const rounded = rewriting((body) => JSON.stringify(JSON.parse(body)))
    const { text } = await judge(rounded, ['iot-reward-share', 'totals'])
    expect(text).toMatch(
      /body records\[0\]\.reward_detail\.amount: expected 18446744073709551615\n +found +18446744073709552000\n/,
    )
    expect(text).toMatch(/body total_beacon_amount: expected 4611686018427387872625\n/)
  })

  it('fails when a list comes in another order, but only by our decisions', async () => {
    const reversed: Alter = (passing) => {
      if (!passing.text.includes('"objects"')) return passing
      const body = JSON.parse(passing.text) as { objects?: unknown[] }
      body.objects?.reverse()
      return { ...passing, text: JSON.stringify(body) }
    }
    expect((await judge(reversed, ['makers-and-hotspots'])).text).toMatch(/body objects\[0\]\.id: expected/)
    const spec = await judge(reversed, ['makers-and-hotspots'], { level: 'spec' })
    expect(spec.text).toContain('Maker, Hotspot: 5 passed, 0 failed')
  })

  it('passes at level spec when it writes instants, errors and integers of GraphQL in its own way', async () => {
    const other = rewriting((body) =>
      body
        .replaceAll('T00:00:00Z"', 'T00:00:00.000+00:00"')
        .replaceAll('"code":"not_found"', '"status":404')
        .replaceAll('"next_page":null,', '')
        .replaceAll(/"(\w*[aA]mount|\w+Reward)":"(\d+)"/g, '"$1":$2'),
    )
    const names = ['iot-reward-share', 'errors', 'limits-and-pagination', 'graphql']
    expect((await judge(other, names, { level: 'spec' })).failed).toBe(0)
    expect((await judge(other, names)).failed).toBeGreaterThan(10)
  })

  it.each<readonly [string, Alter, RegExp]>([
    [
      'a member is missing',
      rewriting((body) => body.replace(/"bump_seed":\d+,/g, '')),
      /body bump_seed: expected 250\n +found +nothing/,
    ],
    [
      'there is one member too many',
      rewriting((body) => body.replace('{"id":', '{"color":"red","id":')),
      /body color: expected nothing\n +found +"red"/,
    ],
    [
      'a record is missing',
      rewriting((body) => body.replace(/\},\{.*?\}\]/, '}]')),
      /body objects\[\d\][.\w]*: expected /,
    ],
    [
      'a number is text',
      rewriting((body) => body.replaceAll(/"bump_seed":(\d+)/g, '"bump_seed":"$1"')),
      /body bump_seed: expected 250\n +found +"250"/,
    ],
    ['the status is another', (p) => ({ ...p, status: 203 }), /status: expected 200\n +found +203 \{/],
    ['the reply is a redirection', (p) => ({ ...p, status: 302 }), /status: expected 200\n +found +302 /],
    [
      'the media type is another',
      (p) => ({ ...p, type: 'text/html' }),
      /header content-type: expected "application\/json"\n +found +"text\/html"/,
    ],
    ['the body is no JSON', rewriting(() => '<html>'), /body: expected JSON\n +found +no JSON: <html>/],
    ['the body is empty', rewriting(() => ''), /body: expected JSON\n +found +an empty body/],
    ['the body is a list', rewriting(() => '[]'), /found +\[\]/],
    ['the body is null', rewriting(() => 'null'), /found +null/],
    [
      'the body tells one member twice',
      rewriting(() => '{"meta":1,"meta":2}'),
      /body: expected JSON\n +found +no JSON: /,
    ],
    [
      'members are those of every object',
      rewriting(() => '{"constructor":{},"toString":1}'),
      /expected .*\n +found +nothing/,
    ],
    [
      'the connection is cut off',
      (_, request, raw) => {
        if (!request.url?.includes('per_page=1')) raw.destroy()
        return request.url?.includes('per_page=1') ? _ : undefined
      },
      /reply: expected a reply\n +found +\S/,
    ],
    [
      'a reply has no end',
      (passing, request, raw) => {
        if (request.url?.includes('per_page=1')) return passing
        raw.writeHead(200)
        const chunk = Buffer.alloc(4_000_000, 32)
        const more = () => raw.destroyed || raw.write(chunk, more)
        more()
        return undefined
      },
      /reply: expected a reply\n +found +more than 16000000 bytes/,
    ],
  ])('fails, and no more than that, when %s', async (_, alter, expected) => {
    const { failed, text } = await judge(alter, ['makers-and-hotspots'])
    expect(failed).toBeGreaterThan(0)
    expect(text).toMatch(expected)
  })

  it('fails if it hangs, after the timeout of a response', async () => {
    const hanging: Alter = (passing, { url }) => (url?.includes('/makers') ? undefined : passing)
    const { text, failed } = await judge(hanging, ['makers-and-hotspots'], { timeoutMs: 3000 })
    expect(failed).toBe(3)
    expect(text).toMatch(/reply: expected a reply\n +found +no whole reply within 3 s/)
    expect(text).toContain('The server does not seem to hold this')
  })

  it('is reported as no server if it answers no probe', async () => {
    const judged = judge(() => undefined, ['totals'], { timeoutMs: 20 })
    await expect(judged).rejects.toThrow(/does not answer: no whole reply within 0\.02 s$/)
  })

  describe('with keys', () => {
    const refusal = (passing: Passing, status: number, code: string): Passing => ({
      ...passing,
      ...{ status, type: 'application/json', text: `{"error":"No.","code":"${code}"}` },
    })
    const needsFeature = (url = '') => /\/l1\/|\/totals/.test(url)
    const withKeys: Alter = (passing, { headers, url }) => {
      if (headers.authorization === 'Bearer all') return passing
      if (headers.authorization !== 'Bearer plain') return refusal(passing, 401, 'authentication_required')
      return needsFeature(url) ? refusal(passing, 403, 'feature_not_available') : passing
    }

    it('passes if it requires them, and cases that need a key run only with one', async () => {
      const keys = { key: 'all', plainKey: 'plain' }
      const { text } = await judge(withKeys, ['authentication', 'service'], keys)
      expect(text).toContain('\nAuthentication: 18 passed, 0 failed')
      expect(text).toContain('\nWhat the service does: 21 passed, 0 failed')
      const without = await judge((passing) => passing, ['authentication'])
      expect(without.text).toContain('Not asked: 16 cases without --key, 2 cases without --plain-key.')
    })

    it('fails if it answers without a key', async () => {
      const { text } = await judge((passing) => passing, ['authentication'], { key: 'all' })
      expect(text).toMatch(/- GraphQL without a key answers 401\n.*\n +status: expected 401\n +found +200 /)
    })
  })
})
