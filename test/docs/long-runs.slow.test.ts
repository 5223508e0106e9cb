import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { longChecks } from '../../scripts/long.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** These have no flags. */
const withoutFlags = ['guides', 'mcp']

/** Vitest loads modules more leniently than the loader that runs scripts. */
it.each([...longChecks].filter(([name]) => !withoutFlags.includes(name)))(
  'the long check %s loads all that it imports and refuses an unknown flag',
  (_, [script, ...words]) => {
    const args = [`scripts/${script}.ts`, ...words, '--no-such-flag']
    const { status, stderr } = spawnSync('node_modules/.bin/tsx', args, { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining("Unknown option '--no-such-flag'")])
  },
)
