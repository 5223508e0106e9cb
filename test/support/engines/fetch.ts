import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `ENGINES_CACHE`, or a folder in the cache of the user. */
const cache = process.env.ENGINES_CACHE ?? join(homedir(), '.cache', 'ledgerlake', 'engines')

/** A Python with these packages of PyPI and no others, in an environment of its own. Errors: Error in the words of pip. */
export async function bringPython(name: string, packages: readonly string[]): Promise<string> {
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)
  const folder = join(cache, `${name}-${digest}`)
  const python = join(folder, 'bin', 'python')
  if (existsSync(folder)) return python
  await mkdir(cache, { recursive: true })
  const parts = `${folder}.parts`
  await rm(parts, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', parts])
  await run(join(parts, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...packages,
  ])
  await rename(parts, folder)
  return python
}

/** The archives of these Maven artifacts, such as `io.delta:delta-storage:4.4.0`. Errors: Error in the words of Maven. */
export async function bringJars(name: string, artifacts: readonly string[]): Promise<readonly string[]> {
  const folder = join(cache, name)
  if (!existsSync(folder)) {
    const parts = `${folder}.parts`
    await rm(parts, { recursive: true, force: true })
    await mkdir(parts, { recursive: true })
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'
    for (const artifact of artifacts)
      await run('mvn', [
        '--batch-mode',
        '--quiet',
        copy,
        `-Dartifact=${artifact}`,
        `-DoutputDirectory=${parts}`,
      ])
    await rename(parts, folder)
  }
  return (await readdir(folder)).map((file) => join(folder, file))
}
