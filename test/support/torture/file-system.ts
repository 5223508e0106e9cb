import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { effectOfOpen, ofDescriptors, ofHandles, ofPaths, placeOf } from './calls.ts'
import { flipBit } from './durable-state.ts'
import type { Effect } from './faults.ts'
import { type Met, type Trial, trials } from './trial.ts'

/** Puts faults around every function of node:fs, with promises, with callbacks and without: also those that streams call. */

// biome-ignore lint/suspicious/noExplicitAny: functions of all kinds are called in the same way
type Any = any
type Call = (...args: Any[]) => Any
type Calls = Record<string, Call>

const real = { ...fs, promises: { ...fs.promises } } as unknown as Calls & { promises: Calls }
/** Paths of open files by their numbers. */
const opened = new Map<number, string>()
/** Functions of Node call others of node:fs: those are one operation. */
let isInside = false

const errors: Readonly<Record<string, string>> = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EMFILE: 'too many open files',
  EROFS: 'read-only file system',
}

function failure(code: string, call: string, path: string, args: readonly unknown[]): Error {
  const moved = /^(link|rename)/.test(call) ? { dest: args[1] } : {}
  return Object.assign(new Error(`${code}: ${errors[code]}, ${call} '${path}'`), {
    code,
    syscall: call,
    path,
    ...moved,
  })
}

/** An operation of a trial. */
interface One {
  readonly trial: Trial
  readonly met: Met
  readonly number: number
  readonly path: string
}

function meet(call: string, effect: Effect, path: unknown): One | undefined {
  const trial = trials.getStore()
  const within = isInside ? undefined : trial?.within(path)
  if (trial === undefined || within === undefined) return undefined
  const met = trial.meet({ call, effect, path: within })
  return { trial, met, number: trial.operations.length, path: String(path) }
}

/** Arguments of half the bytes, where a call says how many it takes or gives; undefined where it takes all or nothing. */
function halved(call: string, args: readonly Any[]): Any[] | undefined {
  if (!/^(handle\.)?(read|write)(Sync)?$/.test(call)) return undefined
  // (buffer, offset, length, position), perhaps after the number of the file, or only (buffer).
  const at = args.findIndex((argument) => ArrayBuffer.isView(argument))
  const buffer = args[at] as Uint8Array | undefined
  if (buffer === undefined) return undefined
  const [offset = 0, length = buffer.byteLength - offset] = args
    .slice(at + 1)
    .filter((value) => typeof value !== 'function')
  const after = args.slice(at + 3)
  return [
    ...args.slice(0, at + 1),
    offset ?? 0,
    Math.max(1, Math.floor((length ?? buffer.byteLength) / 2)),
    ...after,
  ]
}

/** What was read, with a bit flipped or without its second half. */
function spoil({ trial, met }: One, result: Any, args: readonly Any[]): Any {
  if (typeof result === 'string')
    return met.verdict === 'short' ? result.slice(0, result.length / 2) : flipText(result, trial)
  if (Buffer.isBuffer(result)) {
    if (met.verdict === 'short') return result.subarray(0, result.length / 2)
    flipBit(result, trial.random)
    return result
  }
  const buffer = args.find((argument) => ArrayBuffer.isView(argument)) as Uint8Array | undefined
  const into = (result?.buffer ?? buffer) as Uint8Array
  const offset = Number(args[args.indexOf(buffer) + 1] ?? 0) || 0
  const bytes = Number(result?.bytesRead ?? result)
  if (met.verdict === 'flipped' && ArrayBuffer.isView(into))
    flipBit(into.subarray(offset, offset + bytes), trial.random)
  return result
}

function flipText(text: string, trial: Trial): string {
  const bytes = Buffer.from(text)
  flipBit(bytes, trial.random)
  return bytes.toString()
}

const SLOW_MS = 25
const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS)

/** Bytes that a call would write as a whole. */
function halfOf(content: unknown): Uint8Array | undefined {
  if (typeof content !== 'string' && !ArrayBuffer.isView(content)) return undefined
  const bytes = Buffer.from(content as string)
  return bytes.subarray(0, bytes.length / 2)
}

interface Around {
  readonly call: string
  readonly effect: Effect
  readonly path: unknown
  readonly args: readonly Any[]
  /** Calls it with these arguments. */
  readonly act: (args: readonly Any[]) => Any
}

async function around({ call, effect, path, args, act }: Around): Promise<Any> {
  const one = meet(call, effect, path)
  if (one === undefined) return await act(args)
  const { verdict, code } = one.met
  if (verdict === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
  const shorter = verdict === 'short' ? halved(call, args) : undefined
  if (verdict === 'short' && effect === 'writes' && shorter === undefined) {
    const at = args.findIndex((argument) => halfOf(argument) !== undefined && argument !== path)
    if (at >= 0) await act(args.map((argument, index) => (index === at ? halfOf(argument) : argument)))
  }
  if (verdict === 'fails' || (verdict === 'short' && effect === 'writes' && shorter === undefined)) {
    // What was open is closed, however that ends.
    if (effect === 'closes') await act(args)
    throw failure(code, call, one.path, args)
  }
  let result: Any
  try {
    result = await act(shorter ?? args)
  } catch (error) {
    one.trial.done(one.number)
    throw error
  }
  return finish(one, effect, result, shorter ?? args)
}

function aroundSync({ call, effect, path, args, act }: Around): Any {
  const inner = (given: readonly Any[]) => {
    const before = isInside
    isInside = true
    try {
      return act(given)
    } finally {
      isInside = before
    }
  }
  const one = meet(call, effect, path)
  if (one === undefined) return inner(args)
  const { verdict, code } = one.met
  if (verdict === 'slow') sleep()
  const shorter = verdict === 'short' ? halved(call, args) : undefined
  const isCut = verdict === 'short' && effect === 'writes' && shorter === undefined
  if (isCut) inner(args.map((argument, index) => (index === 1 ? (halfOf(argument) ?? argument) : argument)))
  if (verdict === 'fails' || isCut) {
    if (effect === 'closes') inner(args)
    throw failure(code, call, one.path, args)
  }
  let result: Any
  try {
    result = inner(shorter ?? args)
  } catch (error) {
    one.trial.done(one.number)
    throw error
  }
  return finish(one, effect, result, shorter ?? args)
}

function finish(one: One, effect: Effect, result: Any, args: readonly Any[]): Any {
  if (effect === 'syncs') one.trial.synced(one.path)
  one.trial.done(one.number)
  const { verdict } = one.met
  return effect === 'reads' && (verdict === 'flipped' || verdict === 'short')
    ? spoil(one, result, args)
    : result
}

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
  const around = { call: 'openSync', effect: effectOfOpen(flags), path, args: [path, flags, ...rest], act }
  const descriptor = aroundSync(around)
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
