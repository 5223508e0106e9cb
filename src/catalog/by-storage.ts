import type { Kind } from './column.ts'

/** Kinds that engines and schemas store differently. Each other kind is stored as `text` or `long`. */
type StoredKind = Exclude<Kind, 'choice' | 'uuid' | 'json' | 'object' | 'whole' | 'seconds' | 'cell'>

/** Completes a table of stored kinds by the kinds that are stored like them. */
export function byStorage<T>(stored: Readonly<Record<StoredKind, T>>): Readonly<Record<Kind, T>> {
  const { text, long } = stored
  const texts = { choice: text, uuid: text, json: text, object: text }
  return { ...stored, ...texts, whole: long, seconds: long, cell: long }
}
