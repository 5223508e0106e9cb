import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanUp } from './clean-up.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A root of a file system with nothing but an executable and the shared libraries that it names. */
export interface Alone {
  readonly root: string
  /** Copies a file or folder to a path inside. */
  put(from: string, to: string): void
  /** Starts the executable as a user without a name, in namespaces of its own, with no variable set. */
  start(...args: readonly string[]): { readonly stdout: () => string; readonly ended: Promise<number | null> }
}

const nobody = '65534:65534'

/** Needs root, unshare and chroot. */
export async function aloneWith(program: string): Promise<Alone> {
  const root = await temporaryFolder()
  chmodSync(root, 0o755)
  const put = (from: string, to: string) => {
    mkdirSync(join(root, dirname(to)), { recursive: true })
    cpSync(from, join(root, to), { recursive: true })
  }
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+\.so\S*) \(0x/g)
  for (const [, library = ''] of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  put(program, '/a folder/ledgerlake')
  for (const folder of ['proc', 'tmp', 'data']) mkdirSync(join(root, folder))
  for (const folder of ['tmp', 'data']) chmodSync(join(root, folder), 0o1777)
  const spaces = ['--mount', '--pid', '--ipc', '--uts', '--cgroup', '--fork']
  return {
    root,
    put,
    start(...args) {
      const inside = ['/usr/sbin/chroot', `--userspec=${nobody}`, root, '/a folder/ledgerlake', ...args]
      const child = spawn('/usr/bin/unshare', [...spaces, `--mount-proc=${root}/proc`, ...inside], {
        env: {},
        detached: true,
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      cleanUp(async () => {
        if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGKILL')
        await ended
      })
      return { stdout: () => said, ended }
    },
  }
}
