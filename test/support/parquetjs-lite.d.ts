declare module 'parquetjs-lite/lib/util.js' {
  import type { FileMetaData } from 'parquetjs-lite/lib/reader.js'

  export function serializeThrift(metadata: FileMetaData): Buffer
}
