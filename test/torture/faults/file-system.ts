import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { around, aroundSync } from './around-call.ts'
import { effectOfOpen, ofDescriptors, ofHandles, ofPaths, placeOf } from './calls.ts'
import type { Effect } from './faults.ts'
import type { Any } from './spoil.ts'
import { trials } from './trial.ts'

/** Puts faults around every function of node:fs, with promises, with callbacks and without: also those that streams call. */

type Call = (...args: Any[]) => Any
type Calls = Record<string, Call>

const real = { ...fs, promises: { ...fs.promises } } as unknown as Calls & { promises: Calls }
/** Paths of open files by their numbers. */
const opened = new Map<number, string>()
function aroundPromise(call: string, effect: Effect): Call {
  const act = (args: readonly Any[]) => (real.promises[call] as Call)(...args)
  return (...args) => around({ call, effect, path: placeOf(call, args), args, act })
}

/** A folder goes name by name, so that a fault can come in between. */
async function rm(path: string, options: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
  const promises = fs.promises
  if (trials.getStore()?.within(path) === undefined) return await real.promises.rm?.(path, options)
  const facts = await real.promises.lstat?.(path).catch(() => undefined)
  if (facts?.isDirectory() && options.recursive) {
    for (const name of await promises.readdir(path)) await rm(join(path, name), options)
    return await promises.rmdir(path)
  }
  try {
    return await promises.unlink(path)
  } catch (error) {
    if (!(options.force && (error as NodeJS.ErrnoException).code === 'ENOENT')) throw error
  }
}

async function open(path: string, flags: unknown, ...rest: Any[]): Promise<Any> {
  let left: Any
  const act = async (args: readonly Any[]) => (left = await (real.promises.open as Call)(...args))
  const handle = await around({
    ...{ call: 'open', effect: effectOfOpen(flags), path, args: [path, flags, ...rest], act },
  }).catch(async (error) => {
    // A process that is gone has no open files.
    await left?.close()
    throw error
  })
  if (trials.getStore()?.within(path) === undefined) return handle
  for (const [call, effect] of Object.entries(ofHandles)) {
    const method = handle[call].bind(handle)
    const actOn = (args: readonly Any[]) => method(...args)
    handle[call] = (...args: Any[]) => around({ call: `handle.${call}`, effect, path, args, act: actOn })
  }
  return handle
}

function aroundDescriptor(call: string, effect: Effect): Call {
  return (descriptor: number, ...rest) => {
    const path = opened.get(descriptor)
    const done = rest.at(-1)
    const act = (args: readonly Any[]) => withCallback(real[call] as Call, args.slice(0, -1))
    if (path === undefined || typeof done !== 'function') return (real[call] as Call)(descriptor, ...rest)
    const args = [descriptor, ...rest]
    if (effect === 'closes') opened.delete(descriptor)
    around({ call, effect, path, args, act }).then(
      (result) => done(null, result, rest[0]),
      (error) => done(error),
    )
  }
}

function withCallback(call: Call, args: readonly Any[]): Promise<Any> {
  return new Promise((resolve, reject) => {
    call(...args, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)))
  })
}

function openWithCallback(path: string, flags: unknown, ...rest: Any[]): void {
  const done = rest.pop() as Call
  const act = (args: readonly Any[]) => withCallback(real.open as Call, args)
  around({ call: 'open', effect: effectOfOpen(flags), path, args: [path, flags, ...rest], act }).then(
    (descriptor) => {
      opened.set(descriptor, path)
      done(null, descriptor)
    },
    (error) => done(error),
  )
}

function openSync(path: string, flags: unknown, ...rest: Any[]): number {
  const act = (args: readonly Any[]) => (real.openSync as Call)(...args)
  const opening = { call: 'openSync', effect: effectOfOpen(flags), path, args: [path, flags, ...rest], act }
  const descriptor = aroundSync(opening)
  opened.set(descriptor, path)
  return descriptor
}

/** From now on trials meet every call. There is no way back: for a process of its own. */
export function standAroundFileSystem(): void {
  const put = fs as unknown as Calls
  const promises = fs.promises as unknown as Calls
  for (const [call, effect] of Object.entries(ofPaths)) {
    if (promises[call] !== undefined) promises[call] = aroundPromise(call, effect)
    const [name, act] = [`${call}Sync`, real[`${call}Sync`]]
    if (act === undefined) continue
    put[name] = (...args) =>
      aroundSync({ call: name, effect, path: placeOf(name, args), args, act: (given) => act(...given) })
  }
  for (const [call, effect] of Object.entries(ofDescriptors)) {
    const [name, act] = [`${call}Sync`, real[`${call}Sync`]]
    if (act !== undefined)
      put[name] = (...args) => {
        const path = opened.get(args[0])
        if (effect === 'closes') opened.delete(args[0])
        return aroundSync({ call: name, effect, path, args, act: (given) => act(...given) })
      }
    put[call] = aroundDescriptor(call, effect)
  }
  put.existsSync = (path) => {
    try {
      put.accessSync?.(path)
      return true
    } catch {
      return false
    }
  }
  Object.assign(promises, { open, rm })
  Object.assign(put, { open: openWithCallback, openSync })
  syncBuiltinESMExports()
}
