import { readOriginMark } from '../lake/disk/origin-mark.ts'
import type { CheckOptions } from '../lake/integrity/file-checker.ts'
import { keptInFolder } from '../lake/vacuum/kept-records.ts'
import type { KeepIn } from '../lake/vacuum/kept-snapshots.ts'
import type { RemoteFiles } from '../lake/vacuum/remote-files.ts'
import { bringMissing } from '../operate/follow/bring-missing.ts'
import { filesInBucket } from '../operate/follow/files-in-bucket.ts'
import { openLakeInBucket } from '../operate/follow/lake-in-bucket.ts'
import { openRowWriter } from './row-writer.ts'
import type { Settings } from './settings/settings.ts'

/**
 * Returns the target of commits; the signal ends its statements. If the lake is a copy of a lake in a bucket, commits go to
 * the bucket.
 */
export function commitTarget(settings: Settings, signal = new AbortController().signal) {
  const { lake, lake_copy_mb: mostMb } = settings
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder, signal)
  const mark = readOriginMark(lake)
  const remote = mark && openLakeInBucket(lake, mark)?.remote(openWriter, signal, mostMb * 2 ** 20)
  return { lake, openWriter, remote }
}

/** Returns the remote files of a copy for a vacuum; undefined for other lakes and for copies of shared lakes. */
export function remoteFilesOf({ lake }: Settings): RemoteFiles | undefined {
  const mark = readOriginMark(lake)
  const remoteLake = mark && openLakeInBucket(lake, mark)
  return remoteLake && filesInBucket(remoteLake.bucketLake)
}

/** Returns where the kept snapshots of a lake are recorded: in the bucket for a copy, so that all copies keep them. */
export function keepIn(settings: Settings): KeepIn {
  const { lake } = settings
  const elsewhere = remoteFilesOf(settings)
  return { lake, records: elsewhere?.kept ?? keptInFolder(lake), elsewhere }
}

/** Returns a function that downloads missing files of a copy; undefined for other lakes. */
export function fetcherOf({
  lake,
  lake_copy_mb: mostMb,
}: Pick<Settings, 'lake' | 'lake_copy_mb'>): CheckOptions['bring'] {
  const mark = readOriginMark(lake)
  const origin = mark && openLakeInBucket(lake, mark)?.origin
  return origin && ((file) => bringMissing({ lake, origin }, file, mostMb * 2 ** 20))
}
