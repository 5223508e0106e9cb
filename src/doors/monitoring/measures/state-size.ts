import { bytesBelow } from '../../../lake/snapshot/disk-use.ts'

/** Walking a large folder is slow, so the size is cached this long. */
const AGAIN_MS = 30_000

/** Returns a reader of a folder's size in bytes, at most 30 s old; undefined if the folder is unreadable. */
export function folderSize(folder: string, sizeOf = bytesBelow, now = () => performance.now()) {
  let lookedAt = Number.NEGATIVE_INFINITY
  let size: Promise<number | undefined> = Promise.resolve(undefined)
  return (): Promise<number | undefined> => {
    if (now() - lookedAt >= AGAIN_MS) {
      lookedAt = now()
      size = sizeOf(folder).catch(() => undefined)
    }
    return size
  }
}
