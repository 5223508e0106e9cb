import type { Texts } from '../../../base/values/strings.ts'
import { byteAt } from '../../../base/values/typed-at.ts'
import { textsOf } from './typed.ts'

/** Texts that need escaping. */
export interface Escapes {
  /** 1 for each byte that must be escaped. */
  readonly bytes: Uint8Array
  readonly isForEmpty: boolean
  readonly write: (text: string) => string
}

/** Returns the same texts if none needs escaping. */
export function escaped(texts: Texts, { bytes, isForEmpty, write }: Escapes): Texts {
  if (!hasAny(texts, bytes) && !(isForEmpty && hasEmpty(texts))) return texts
  const rowTexts = Array.from({ length: texts.length }, (_, row) => texts.at(row))
  return textsOf(rowTexts.map((text) => (text === null ? null : write(text))))
}

function hasAny({ bytes, offsets }: Texts, pattern: Uint8Array): boolean {
  const end = offsets.at(-1) ?? 0
  for (let index = offsets[0] ?? 0; index < end; index += 1)
    if (pattern[byteAt(bytes, index)] === 1) return true
  return false
}

function hasEmpty({ offsets, valid }: Texts): boolean {
  for (let row = 0; row + 1 < offsets.length; row += 1)
    if (offsets[row] === offsets[row + 1] && valid?.[row] !== 0) return true
  return false
}
