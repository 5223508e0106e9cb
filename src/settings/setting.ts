import type { Reader } from './readers.ts'

/** How one setting is read and described. */
export const setting = <T>(reader: Reader<T>, placeholder: string, fallback: string, meaning: string) => ({
  reader,
  placeholder,
  fallback,
  meaning,
})
