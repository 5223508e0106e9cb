import { readOriginMark } from '../lake/disk/origin-mark.ts'
import type { CheckOptions } from '../lake/integrity/file-checker.ts'
import type { RemoteFiles } from '../lake/vacuum/vacuum.ts'
import { bringMissing } from '../operate/follow/bring-missing.ts'
import { filesInBucket } from '../operate/follow/files-in-bucket.ts'
import { openLakeInBucket } from '../operate/follow/lake-in-bucket.ts'
import type { Settings } from '../settings/settings.ts'
import { openRowWriter } from './row-writer.ts'

/** The remote side of commits to a lake; of a copy, the bucket where they take effect. */
export function committing(settings: Settings, signal = new AbortController().signal) {
  const { lake, lake_copy_mb: mostMb } = settings
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  const mark = readOriginMark(lake)
  const remote = mark && openLakeInBucket(lake, mark)?.remote(openWriter, signal, mostMb * 2 ** 20)
  return { lake, openWriter, remote }
}

/** Where the data files of a copy count, for a vacuum; undefined for a lake of its own, and for a copy of what a server shares. */
export function elsewhereOf({ lake }: Settings): RemoteFiles | undefined {
  const mark = readOriginMark(lake)
  const remoteLake = mark && openLakeInBucket(lake, mark)
  return remoteLake && filesInBucket(remoteLake.bucketLake)
}

/** Brings files of a copy that are missing; undefined for a lake of its own. */
export function bringerOf({
  lake,
  lake_copy_mb: mostMb,
}: Pick<Settings, 'lake' | 'lake_copy_mb'>): CheckOptions['bring'] {
  const mark = readOriginMark(lake)
  const origin = mark && openLakeInBucket(lake, mark)?.origin
  return origin && ((file) => bringMissing({ lake, origin }, file, mostMb * 2 ** 20))
}
