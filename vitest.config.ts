import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { tier } from './test/support/tier.ts'

/** Folders of fast tests. Files that start the program or have a larger scale are excluded. */
const fastFolders = /^(base|bench|catalog|cli\/single|docs|house|index|keys|lake|write\/(sample|wire))\//

const folder = fileURLToPath(new URL('test/', import.meta.url))
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.test.ts'),
)
const has = (text: RegExp) => (file: string) => text.test(readFileSync(folder + file, 'utf8'))
const isSlow = (file: string) => file.endsWith('.slow.test.ts')
const isOfProgram = (file: string) => file.endsWith('.program.test.ts')

const isScaled = has(/support\/(tier|properties\/runs)\.ts'/)
const needsBuild = has(/(support\/servers\/run-program|services\/sql)\.ts'/)

const usual = all.filter((file) => !isSlow(file) && !isOfProgram(file))
const chosen = {
  unit: () => usual.filter((file) => fastFolders.test(file) && !isScaled(file) && !needsBuild(file)),
  default: () => usual,
  program: () => [...all.filter(isOfProgram), ...usual.filter(needsBuild)],
  slow: () => [...all.filter(isSlow), ...usual.filter(isScaled)],
}[tier]()

/** Files that put others in the place of modules cannot share modules with the other files; loading them takes long. */
const isolated = chosen.filter(has(/vi\.mock\(/))
const sharing = chosen.filter((file) => !isolated.includes(file))

const project = (name: string, isolate: boolean, files: readonly string[]) => ({
  extends: true as const,
  test: { name, isolate, include: files.map((file) => `test/${file}`) },
})

/** Commits wait for the disk, which no test is about; so lakes lie in memory where there is plenty of it. */
function scratchFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4e9 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

export default defineConfig({
  // As Node resolves it: two copies of graphql would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    projects: [project('sharing', false, sharing), project('isolated', true, isolated)].filter(
      ({ test }) => test.include.length > 0,
    ),
    // A test that asserts nothing, in a loop over nothing say, fails; so does one for each of no cases.
    expect: { requireAssertions: true, poll: { timeout: 300_000 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/shared-folder.ts'],
    // A worker waits a fifth of its time, for programs that it started and for the disk; three keep two cores busy.
    maxWorkers: 3,
    // What decides about data. The rest are defaults that the type of an index asks for and that nothing reaches.
    coverage: {
      ...{
        provider: 'v8' as const,
        reporter: ['text'],
        include: ['src/lake/**/*.ts', 'src/write/store/**/*.ts'],
      },
      // It has tests of its own.
      exclude: ['src/lake/integrity/**'],
      thresholds: { branches: 100 },
    },
    // Transformed modules stay for the next run, by their content: a fifth of the time of a short run.
    experimental: { fsModuleCache: true },
    // These end what hangs; on a busy machine a draw of faults takes ten minutes.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    env: { UV_THREADPOOL_SIZE: '16', TMPDIR: scratchFolder() },
  },
})
