import { existsSync, readdirSync, renameSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

type FileSystem = typeof import('node:fs/promises')

/**
 * A crash at each call of the file system: `dies` fails that call and all that follow, as if the process were gone;
 * `fails` fails that call alone, as a disk does.
 */
export const crash = { at: Number.POSITIVE_INFINITY, mode: 'dies', calls: 0 }

/** The calls of the file system, counted; for `vi.mock`, which has to stand in the test itself. */
export function crashingCalls(real: FileSystem): FileSystem {
  type Call = (...args: never[]) => Promise<unknown>

  function refuse(): boolean {
    crash.calls += 1
    return crash.calls === crash.at || (crash.mode === 'dies' && crash.calls > crash.at)
  }
  const counted =
    (name: string, call: Call, onRefused: Call = async () => {}) =>
    async (...args: never[]) => {
      if (!refuse()) return await call(...args)
      await onRefused(...args)
      throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', syscall: name })
    }
  function countedHandle(handle: FileHandle): FileHandle {
    const half: Call = (content: string) => handle.writeFile(content.slice(0, content.length / 2))
    const calls: Readonly<Record<string, Call>> = {
      sync: counted('fsync', () => handle.sync()),
      writeFile: counted('write', (content: string) => handle.writeFile(content), half),
      // A process that is gone has no open files.
      close: counted(
        'close',
        () => handle.close(),
        () => handle.close(),
      ),
    }
    return new Proxy(handle, { get: (target, name) => calls[String(name)] ?? Reflect.get(target, name) })
  }
  const names = [
    'link',
    'mkdir',
    'readdir',
    'readFile',
    'rename',
    'rm',
    'stat',
    'unlink',
    'writeFile',
  ] as const
  const open = counted('open', (async (path: string, flags: string) =>
    countedHandle(await real.open(path, flags))) as Call)
  return {
    ...real,
    ...Object.fromEntries(names.map((name) => [name, counted(name, real[name] as unknown as Call)])),
    open,
  } as FileSystem
}

/** Does the work with a crash at one call. Gives false when the work was over before that call. */
export async function crashing(work: () => Promise<unknown>, at: number): Promise<boolean> {
  Object.assign(crash, { at, calls: 0 })
  await work().catch((error: unknown) => expect(codesOf(error)).toContain('EIO'))
  crash.at = Number.POSITIVE_INFINITY
  return crash.calls >= at
}

/**
 * Tries a crash at the first call, and at every so many after it until the work was over before; the modes take turns.
 * An attempt says whether it came so far. Gives about how many calls there are.
 */
export async function crashAlong(
  step: number,
  attempt: (at: number, number: number) => Promise<boolean>,
  modes: readonly string[] = crashModes,
): Promise<number> {
  let at = 1
  for (let [goesOn, number] = [true, 0]; goesOn; at += step, number += 1) {
    crash.mode = modes[number % modes.length] ?? ''
    goesOn = await attempt(at, number)
  }
  return at
}

/** Codes of an error and of what caused it. */
function codesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? error.code : undefined, ...codesOf(error.cause)]
}

/** What a run or a vacuum of this process left is as if its process were gone. */
export function endProcess(lake: string): void {
  for (const parent of ['_staging', '_restore.lock'].map((name) => join(lake, name)))
    for (const run of existsSync(parent) ? readdirSync(parent) : []) {
      const [space, , ...id] = run.split('-')
      // No process has such a number.
      renameSync(join(parent, run), join(parent, [space, 2147483646, ...id].join('-')))
    }
}

export const crashModes = ['dies', 'fails'] as const
