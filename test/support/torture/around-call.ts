import type { Effect } from './faults.ts'
import { type Any, halfOf, halved, spoil } from './spoil.ts'
import { type Met, type Trial, trials } from './trial.ts'

/** One call of the file system as an operation of a trial, with what the trial makes of it. */

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

const SLOW_MS = 25
const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS)

interface Around {
  readonly call: string
  readonly effect: Effect
  readonly path: unknown
  readonly args: readonly Any[]
  /** Calls it with these arguments. */
  readonly act: (args: readonly Any[]) => Any
}

/** Of a call that gives a promise. */
export async function around({ call, effect, path, args, act }: Around): Promise<Any> {
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

/** Of a call that does not wait. */
export function aroundSync({ call, effect, path, args, act }: Around): Any {
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
