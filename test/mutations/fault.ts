/** A small fault that somebody could make, and the tests that are expected to see it first. */
export interface Fault {
  /** What a caller would suffer, in a few words. */
  readonly what: string
  /** The file of the product, from the root. */
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files nearest to it. */
  readonly tests: readonly string[]
}
