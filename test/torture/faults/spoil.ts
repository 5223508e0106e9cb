import { flipBit } from './durable-state.ts'
import type { Trial } from './trial.ts'

/** How bytes of a call go wrong: fewer of them, or one bit that is another. */

// biome-ignore lint/suspicious/noExplicitAny: functions of all kinds are called in the same way
export type Any = any

/** Arguments of half the bytes, where a call says how many it takes or gives; undefined where it takes all or nothing. */
export function halved(call: string, args: readonly Any[]): Any[] | undefined {
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

/** What was read, without its second half or with a bit flipped. */
export function spoil({ random }: Trial, isShort: boolean, result: Any, args: readonly Any[]): Any {
  if (typeof result === 'string') {
    if (isShort) return result.slice(0, result.length / 2)
    const bytes = Buffer.from(result)
    flipBit(bytes, random)
    return bytes.toString()
  }
  if (Buffer.isBuffer(result)) {
    if (isShort) return result.subarray(0, result.length / 2)
    flipBit(result, random)
    return result
  }
  const buffer = args.find((argument) => ArrayBuffer.isView(argument)) as Uint8Array | undefined
  const into = (result?.buffer ?? buffer) as Uint8Array
  const offset = Number(args[args.indexOf(buffer) + 1] ?? 0) || 0
  const bytes = Number(result?.bytesRead ?? result)
  if (!isShort && ArrayBuffer.isView(into)) flipBit(into.subarray(offset, offset + bytes), random)
  return result
}

/** Bytes that a call would write as a whole. */
export function halfOf(content: unknown): Uint8Array | undefined {
  if (typeof content !== 'string' && !ArrayBuffer.isView(content)) return undefined
  const bytes = Buffer.from(content as string)
  return bytes.subarray(0, bytes.length / 2)
}
