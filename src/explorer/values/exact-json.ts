/** A JSON value with numbers as text, so that no digit is lost. */
export type Exact = null | boolean | string | readonly Exact[] | { readonly [member: string]: Exact }

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON. Errors: SyntaxError. */
export function readExact(text: string): Exact {
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`))) as Exact
}
