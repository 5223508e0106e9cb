/** The order of texts by their bytes, which is that of every list. */
export const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
