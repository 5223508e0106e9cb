/** The words of a text: a long list that is short to read. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
