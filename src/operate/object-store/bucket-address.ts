/** A bucket, and a folder in it; empty for all of it. */
export interface BucketAddress {
  readonly bucket: string
  /** Ends with a slash, unless it is empty. */
  readonly prefix: string
}

/** `s3://bucket/folder` -> its parts; undefined for another text. */
export function readBucketAddress(text: string): BucketAddress | undefined {
  const [whole, bucket = '', folder = ''] =
    /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const prefix = folder.replace(/\/+$/, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}
