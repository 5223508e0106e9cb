import { setTimeout } from 'node:timers/promises'
import type { Effect } from './faults.ts'
import { type Any, halfOf, halved, spoil } from './spoil.ts'
import { type Met, type Trial, trials } from './trial.ts'

/** One call of the file system as an operation of a trial. */

/** Functions of Node call others of node:fs: those are one operation. */
let isInside = false

const errors: Readonly<Record<string, string>> = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EMFILE: 'too many open files',
  EROFS: 'read-only file system',
}

function failure(code: string, call: string, path: unknown, args: readonly unknown[]): Error {
  const moved = /^(link|rename)/.test(call) ? { dest: args[1] } : {}
  const error = new Error(`${code}: ${errors[code]}, ${call} '${path}'`)
  return Object.assign(error, { code, syscall: call, path, ...moved })
}

interface Around {
  readonly call: string
  readonly effect: Effect
  readonly path: unknown
  readonly args: readonly Any[]
  /** Calls it with these arguments. */
  readonly act: (args: readonly Any[]) => Any
}

/** What a trial makes of a call. */
interface Plan {
  readonly trial: Trial
  readonly met: Met
  readonly isSlow: boolean
  /** Arguments of a call before the error: half of a content, or a close. */
  readonly first: readonly Any[] | undefined
  readonly error: Error | undefined
  readonly args: readonly Any[]
  /** After the operation, whether it failed by itself or not. */
  done(): void
}

function planOf({ call, effect, path, args }: Around): Plan | undefined {
  const trial = trials.getStore()
  const within = isInside ? undefined : trial?.within(path)
  if (trial === undefined || within === undefined) return undefined
  const met = trial.meet({ call, effect, path: within })
  const number = trial.operations.length
  const { verdict, code } = met
  const shorter = verdict === 'short' ? halved(call, args) : undefined
  const isCut = verdict === 'short' && effect === 'writes' && shorter === undefined
  const isFailing = verdict === 'fails' || isCut
  const content = args.find((argument) => argument !== path && halfOf(argument) !== undefined)
  const half = args.map((argument) => (argument === content ? halfOf(argument) : argument))
  return {
    ...{ trial, met, isSlow: verdict === 'slow', args: shorter ?? args },
    // What was open is closed, however that ends.
    first: isCut && content !== undefined ? half : isFailing && effect === 'closes' ? args : undefined,
    error: isFailing ? failure(code, call, path, args) : undefined,
    done: () => trial.done(number),
  }
}

const SLOW_MS = 25
const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS)

/** Of a call that gives a promise. */
export async function around(call: Around): Promise<Any> {
  const plan = planOf(call)
  if (plan === undefined) return await call.act(call.args)
  if (plan.isSlow) await setTimeout(SLOW_MS)
  if (plan.first !== undefined) await call.act(plan.first)
  if (plan.error !== undefined) throw plan.error
  try {
    return resultOf(plan, call, await call.act(plan.args))
  } finally {
    plan.done()
  }
}

/** Of a call that does not wait. */
export function aroundSync(call: Around): Any {
  const act = (given: readonly Any[]) => {
    const before = isInside
    isInside = true
    try {
      return call.act(given)
    } finally {
      isInside = before
    }
  }
  const plan = planOf(call)
  if (plan === undefined) return act(call.args)
  if (plan.isSlow) sleep()
  if (plan.first !== undefined) act(plan.first)
  if (plan.error !== undefined) throw plan.error
  try {
    return resultOf(plan, call, act(plan.args))
  } finally {
    plan.done()
  }
}

function resultOf({ trial, met, args }: Plan, { effect, path }: Around, result: Any): Any {
  if (effect === 'syncs') trial.synced(String(path))
  const isSpoilt = effect === 'reads' && ['flipped', 'short'].includes(met.verdict)
  return isSpoilt ? spoil(trial, met.verdict === 'short', result, args) : result
}
