import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { visible, visibleLines } from '../../src/base/visible.ts'
import { logOf } from '../../src/cli/serving/reporter.ts'
import { openLogger } from '../../src/doors/hooks/log.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { onLoopback } from '../support/servers/loopback.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Colours the terminal, sets its title, does so by one C1 byte, erases a line, and turns text around. */
const hostile = 'a\x1b[31mRED\x1b]0;title\x07\x9b2K\x7f\rb\u202ecod.exe\u2066'
const shown = 'a\\u001b[31mRED\\u001b]0;title\\u0007\\u009b2K\\u007f\\u000db\\u202ecod.exe\\u2066'

it('control characters and marks of direction are escaped; other text stays', () => {
  expect(visible(hostile)).toBe(shown)
  expect(visibleLines(`one\n\t${hostile}`)).toBe(`one\n\t${shown}`)
  expect(visible('two\nlines')).toBe('two\\u000alines')
  const text = 'Furry Linen Bee, naïve, 日本語, 🐝, é'
  expect([visible(text), visibleLines(text)]).toEqual([text, text])
  expect(JSON.parse(visibleLines(JSON.stringify({ hostile })))).toEqual({ hostile })
})

it('a response of a service is printed without its control characters', async () => {
  const service = createServer((_request, response) =>
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error: hostile })),
  )
  const url = `${(await onLoopback(service)).origin}/v1/net`
  const lake = await temporaryFolder()
  const { code, stdout, stderr } = await runMain(['sync', 'hotspots', '--url', url, '--lake', lake])
  expect(stderr).toContain('RED')
  expect(`${stdout}${stderr}`).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(code).not.toBe(0)
})

it('a file name is printed without its control characters', async () => {
  const { stderr, stdout } = await runMain(['ingest', `/no/${hostile}`, '--lake', await temporaryFolder()])
  expect(stdout + stderr).toContain(shown)
})

it('a log line escapes control characters without changing its meaning', () => {
  let written = ''
  const log = { ...logOf(readSettings({}, {})) }
  const { write } = process.stderr
  process.stderr.write = ((text: string) => {
    written += text
    return true
  }) as typeof write
  try {
    openLogger(log).error(hostile)
  } finally {
    process.stderr.write = write
  }
  expect(written.trimEnd()).not.toMatch(/[\p{Cc}\u202e\u2066]/u)
  expect(JSON.parse(written).msg).toBe(hostile)
})

it('a command writes to the terminal with control characters escaped, apart from rows in a format for programs', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const exact = [
    "cli/commands/sql/result-formats.ts: if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve))",
    "cli/commands/sql/sql.ts: process.stderr.write('ledgerlake: cancelled\\n')",
    // Its lines are visible already.
    'cli/terminal-text.ts: stdout.write(text, (error) => (error ? reject(error) : resolve()))',
    'doors/build-server.ts: const standardError: Log = { access: false, write: (line) => process.stderr.write(line) }',
    // For a program, as JSON.
    `doors/mcp/protocol.ts: const lines = checkedLines(process.stdin, (error) => process.stdout.write(\`\${JSON.stringify(error)}\\n\`))`,
  ]
  const writes = files.flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .filter((line) => /\bstd(out|err)\.write\(/.test(line) && !/visible(Lines)?\(/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(writes.toSorted()).toEqual(exact.toSorted())
})
