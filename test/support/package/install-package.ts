import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { some } from '../some.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

/** Paths of the packages that users of the package get. */
export function neededPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return some(Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true))
}

/** Puts the package, as npm would install it, in the node_modules of a new folder, beside links to `others` of this repository. */
export async function installPackage(others: readonly string[] = []): Promise<string> {
  const folder = await temporaryFolder()
  const installed = join(folder, 'node_modules', 'ledgerlake')
  mkdirSync(installed, { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components=1'])
  const here = neededPackages().filter((path) =>
    readdirSync(root + path.slice(0, path.lastIndexOf('/'))).includes(path.split('/').at(-1) ?? ''),
  )
  for (const path of some(here)) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const other of others) {
    const path = join(folder, 'node_modules', other)
    mkdirSync(join(path, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', other), path)
  }
  return folder
}
