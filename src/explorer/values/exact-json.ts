/** A JSON value with numbers as text, so that no digit is lost. */
export type Exact = null | boolean | string | readonly Exact[] | { readonly [member: string]: Exact }

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON; `T` is the form that the server promises. Errors: SyntaxError. */
export function readExact<T = Exact>(text: string): T {
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}
