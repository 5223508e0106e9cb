import { parse } from 'lossless-json'

/** Parses JSON text; `number` converts the text of each number. Errors: SyntaxError; RangeError if it is nested too deeply. */
export function parseExactJson(text: string, number: (text: string) => unknown): unknown {
  return parse(text, null, number)
}
