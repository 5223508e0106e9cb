import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listenToBackgroundErrors } from '../../base/background.ts'
import { CloseStack } from '../../base/close-stack.ts'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { specifiedDialect } from '../../doors/dialect/dialect.ts'
import { followLake } from '../../doors/snapshots/served-snapshots.ts'
import { openReader } from '../../lake/runs/readers.ts'
import { openServices } from '../services.ts'
import { isInBucket } from '../settings/bucket-settings.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { ownSql } from '../sql.ts'
import type { IngestOptions, Lake, LakeOptions, PinnedLake } from './api.ts'
import type { CallOptions, Instant } from './calls.ts'
import { keepParts } from './lake-parts.ts'
import { lakeReads } from './lake-reads.ts'
import { compactLake, ingestInto, verifyLake } from './lake-writes.ts'
import { parameterText } from './query-text.ts'
import { signalOf } from './table-reads.ts'

/** Longest use of a snapshot after a newer one came, for `vacuum`. */
const LONGEST_USE_MS = 3_600_000

/**
 * Opens a lake in this process; a folder that is not there yet is an empty lake. The lake belongs to the caller, who closes it.
 * Reads no environment variable and prints nothing.
 * Errors: `malformed_request` for an option, those of the lake.
 */
export async function openLake(folder: string, options: LakeOptions = {}): Promise<Lake> {
  if (isInBucket(folder))
    fail(
      'malformed_request',
      `The folder is ${quoted(folder)}; use a local folder, such as a copy by ledgerlake sync lake.`,
    )
  const opened = new CloseStack()
  try {
    return await openAll(settingsOf(folder, options), options, opened)
  } catch (error) {
    // Report the first error, not those of closing.
    await opened.close().catch(() => {})
    throw error
  }
}

async function openAll(settings: Settings, options: LakeOptions, opened: CloseStack): Promise<Lake> {
  await mkdir(settings.lake, { recursive: true })
  const { onError = () => {} } = options
  opened.add(listenToBackgroundErrors(onError))
  const services = await openServices(settings, { spelling: specifiedDialect.spelling, onUnread: onError })
  opened.add(services.close)
  const reader = await openReader(settings.lake)
  opened.add(reader.close)
  const sql = ownSql(settings)
  opened.add(sql.close)
  const snapshots = await followLake(services.lake, settings.refresh_ms, services.warm, onError, {
    reader,
    longestMs: LONGEST_USE_MS,
  })
  opened.add(snapshots.close)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opened.close()
    return closing
  }

  /** Shows what this process has committed to its own reads at once. */
  async function thenLook<T>(work: Promise<T>): Promise<T> {
    const result = await work
    await snapshots.look()
    return result
  }

  const reads = lakeReads(services, sql, (signal) => snapshots.of(undefined, signal))
  const lake: Lake = {
    ...reads,
    folder: settings.lake,
    async at(snapshot: Instant, callOptions: CallOptions = {}): Promise<PinnedLake> {
      const at = await snapshots.of(parameterText(snapshot), signalOf(callOptions))
      return { ...lakeReads(services, sql, async () => at), snapshot: at.id }
    },
    ingest: (paths: readonly string[], ingestOptions: IngestOptions = {}) =>
      thenLook(ingestInto(settings, paths, ingestOptions)),
    compact: (callOptions: CallOptions = {}) => thenLook(compactLake(settings, callOptions)),
    verify: (callOptions: CallOptions = {}) => verifyLake(settings, services.derived, callOptions),
    close,
    [Symbol.asyncDispose]: close,
  }
  keepParts(lake, { settings, services, snapshots, onError })
  return lake
}

function settingsOf(folder: string, options: LakeOptions): Settings {
  const { stateFolder, memoryMb, threads, refreshMs } = options
  return readSettings(
    {},
    {
      lake: resolve(folder),
      ...(stateFolder !== undefined && { state: resolve(stateFolder) }),
      ...(memoryMb !== undefined && { engine_memory_mb: String(memoryMb) }),
      ...(threads !== undefined && { engine_threads: String(threads) }),
      ...(refreshMs !== undefined && { refresh_ms: String(refreshMs) }),
    },
  )
}
