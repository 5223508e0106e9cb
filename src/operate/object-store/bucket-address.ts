/** A bucket and a folder in it; an empty prefix is the whole bucket. */
export interface BucketAddress {
  readonly bucket: string
  /** Ends with a slash, unless it is empty. */
  readonly prefix: string
}

/** Parses `s3://bucket/folder`; undefined for other text. */
export function readBucketAddress(text: string): BucketAddress | undefined {
  const [whole, bucket = '', folder = ''] =
    /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const prefix = folder.replace(/\/+$/, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}
