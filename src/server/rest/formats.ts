import { JSON_TYPE, json, type Representation, type Whole } from '../reply/representation.ts'
import type { Found } from './handlers.ts'

/** A format that replies are written in. */
export interface Format {
  /** Media type, with its character set. */
  readonly type: string
  write(found: Found, integersAsText: boolean): Representation<Whole>
}

const jsonFormat: Format = {
  type: JSON_TYPE,
  write: ({ whole }, integersAsText) => json(whole, integersAsText),
}

/** Callers choose by Accept as soon as there are two; the first is for those who accept none of them. */
export const formats: readonly [Format, ...Format[]] = [jsonFormat]
