import { bytesBelow } from '../../lake/snapshot/disk-use.ts'

/** A folder of many files is gone through only so often, however often metrics are asked for. */
const AGAIN_MS = 30_000

/** Gives the bytes of a folder, as they were at most half a minute ago; undefined where it cannot be read. */
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
