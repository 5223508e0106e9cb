/** The words of a text: a long list that is short to read. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** A record from words such as `amount:integer`. */
export const pairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(words(text).map((word) => word.split(':')))
