import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Programs of other people that are fetched once, into a cache. */

export const run = promisify(execFile)

/** The folder that a variable such as `TRINO_CACHE` names, or one in the cache of the user. */
export const cacheOf = (name: string) =>
  process.env[`${name.toUpperCase()}_CACHE`] ?? join(homedir(), '.cache', 'ledgerlake', name)

/** Makes a folder unless it is there: `make` fills another one, which is renamed once it is whole. */
export async function bringOnce(folder: string, make: (parts: string) => Promise<unknown>): Promise<void> {
  if (existsSync(folder)) return
  const parts = `${folder}.parts`
  await rm(parts, { recursive: true, force: true })
  await mkdir(parts, { recursive: true })
  await make(parts)
  await rename(parts, folder)
}

const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']

/** A Python with these packages of PyPI and no others, in an environment of its own. Errors: Error in the words of pip. */
export async function bringPython(cache: string, name: string, packages: readonly string[]): Promise<string> {
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)
  const folder = join(cacheOf(cache), `${name}-${digest}`)
  await bringOnce(folder, async (parts) => {
    await run('python3', ['-m', 'venv', parts])
    await run(join(parts, 'bin', 'python'), [...pip, ...packages])
  })
  return join(folder, 'bin', 'python')
}

/** Puts packages of PyPI into a folder, without those that they need. */
export const bringPackage = (folder: string, name: string) =>
  bringOnce(folder, (parts) => run('python3', [...pip, '--no-deps', '--target', parts, name]))

const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'

/** Copies a Maven artifact, such as `io.delta:delta-storage:4.4.0`, into a folder. Errors: Error in the words of Maven. */
export const copyArtifact = (folder: string, artifact: string) =>
  run('mvn', ['--batch-mode', '--quiet', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`])

/** The archives of Maven artifacts. */
export async function bringJars(folder: string, artifacts: readonly string[]): Promise<readonly string[]> {
  await bringOnce(folder, async (parts) => {
    for (const artifact of artifacts) await copyArtifact(parts, artifact)
  })
  return (await readdir(folder)).map((file) => join(folder, file))
}
