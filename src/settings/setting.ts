import type { Reader } from './readers.ts'

/** Declares a setting: its parser, placeholder, default and description. */
export const setting = <T>(reader: Reader<T>, placeholder: string, fallback: string, meaning: string) => ({
  reader,
  placeholder,
  fallback,
  meaning,
})
