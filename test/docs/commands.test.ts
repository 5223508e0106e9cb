import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runMain } from '../support/servers/run-main.ts'
import { some } from '../support/some.ts'

it('docs/guide has a line for each command of the program', async () => {
  const { stdout } = await runMain(['--help'])
  const [, listed = ''] = stdout.split('\nCommands:\n')
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name)
  const page = readFileSync('docs/guide/commands.md', 'utf8')
  const lines = new Set([...page.matchAll(/^\| `ledgerlake ([a-z-]+)/gm)].map(([, name]) => name))
  expect(names.length).toBeGreaterThan(15)
  expect(some(names).filter((name) => name !== 'help' && !lines.has(name))).toEqual([])
})
