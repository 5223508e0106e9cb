import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Vitest loads modules more leniently than the loader that runs scripts. */
it.each([
  'bucket-lake',
  'clients',
  'connections',
  'engines',
  'fuzz',
  'holds',
  'kills',
  'mutations',
  'sync',
  'torture',
  'trino',
])('scripts/%s.ts loads all that it imports and refuses an unknown flag', (name) => {
  const { status, stderr } = spawnSync('node_modules/.bin/tsx', [`scripts/${name}.ts`, '--no-such-flag'], {
    ...{ cwd: root, encoding: 'utf8' },
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining("Unknown option '--no-such-flag'")])
})
