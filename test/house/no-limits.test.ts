import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const tests = fileURLToPath(new URL('..', import.meta.url))

/** Ways of a test to fail because a machine is slow. */
const limits = [
  /\bvi\s*\.wait(For|Until)\(/,
  /\{[^{}]*\btimeout: [0-9_]+[^{}]*\}, async/,
  /\.poll\([^)]*timeout: /,
  /^\s*\}, [0-9_]{4,}\)$/m,
  /performance\.now\(\) - \w+\)\.toBeLessThan/,
]

const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== 'house/no-limits.test.ts')
  .map((file) => ({ file, text: readFileSync(`${tests}/${file}`, 'utf8') }))

it('no test sets its own timeout', () => {
  expect(sources.length).toBeGreaterThan(400)
  expect(
    sources.filter(({ text }) => limits.some((limit) => limit.test(text))).map(({ file }) => file),
  ).toEqual([])
})

it.each([
  'await vi.waitFor(() => {})',
  "it('is quick', { timeout: 100 }, async () => {})",
  'await expect.poll(read, { timeout: 5000 }).toBe(1)',
  "it('is quick', () => {\n}, 30_000)",
  'expect(performance.now() - began).toBeLessThan(200)',
])('the check finds the timeout in %s', (text) => {
  expect(limits.some((limit) => limit.test(text))).toBe(true)
})
