import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import type { Derived } from '../../index/maintenance/derived.ts'
import type { Target } from '../../operate/verify/inventory.ts'
import { Verifier } from '../../operate/verify/verify.ts'
import { type CompactedPartition, compact } from '../../write/compact/compact.ts'
import { artifactKinds } from '../../write/ingest/files/artifact.ts'
import { ingest } from '../../write/ingest/pipeline.ts'
import { commitTarget } from '../copies.ts'
import { buildDerived } from '../derived.ts'
import { stateFolderOf } from '../folders.ts'
import { keyFileOf } from '../keys.ts'
import { openRowReader } from '../row-writer.ts'
import type { Settings } from '../settings/settings.ts'
import type { IngestOptions, IngestResult, Verification } from './api.ts'
import type { CallOptions } from './calls.ts'
import { signalOf } from './table-reads.ts'

/** Memory for a row group of mobile shares with its dictionaries. With less, writing takes ten times as long. */
const LEAST_COMPACTION_MB = 640

/** Ingests files, and builds the indexes that are missing then. Errors: those of the lake; the reason of the signal. */
export async function ingestInto(
  settings: Settings,
  paths: readonly string[],
  { only, replace = false, ...options }: IngestOptions,
): Promise<IngestResult> {
  const signal = signalOf(options)
  signal.throwIfAborted()
  const kinds = artifactKinds.filter((kind) => only?.includes(kind) ?? true)
  const summary = await ingest({
    ...commitTarget(settings, signal),
    ...{
      paths,
      kinds,
      replace,
      signal,
      replaceAll: false,
      maxRejects: undefined,
      commitRows: settings.ingest_commit_rows,
    },
  }).catch((error) => {
    // A statement that was interrupted fails with an error of its own.
    signal.throwIfAborted()
    throw error
  })
  if (summary.rows > 0) await buildDerived(settings, { onFailure: () => {}, signal })
  const { read, stored, skipped, rows, refusedRows, unknown, failed } = summary
  return { read, stored, skipped, rows, refusedRows, unknown, failed }
}

interface Compaction {
  /** Default: all closed months. */
  readonly months?: readonly string[] | undefined
  readonly onTable: (partitions: readonly CompactedPartition[]) => void
}

/** Merges the files of closed months, with enough memory for a row group. Errors: those of `compact`. */
export async function compactMonths(settings: Settings, { months, onTable }: Compaction): Promise<void> {
  const memoryMb = Math.max(settings.ingest_memory_mb, LEAST_COMPACTION_MB)
  await compact({ ...commitTarget({ ...settings, ingest_memory_mb: memoryMb }), months, onTable })
}

export async function compactLake(settings: Settings, options: CallOptions): Promise<number> {
  let partitions = 0
  await compactMonths(settings, {
    onTable(done) {
      partitions += done.length
      options.signal?.throwIfAborted()
    },
  })
  if (partitions > 0) await buildDerived(settings, { onFailure: () => {}, signal: signalOf(options) })
  return partitions
}

/** Runs work on what is verified. Rows spill outside the lake, which may be read-only. */
export async function withTarget<T>(
  settings: Settings,
  derived: readonly Derived[],
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const spill = await mkdtemp(join(tmpdir(), 'ledgerlake-verify-'))
  try {
    return await work({
      ...{
        lake: settings.lake,
        state: stateFolderOf(settings),
        keyFile: normalize(keyFileOf(settings)),
        derived,
      },
      openReader: () => openRowReader(settings, spill),
    })
  } finally {
    await rm(spill, { recursive: true, force: true })
  }
}

export async function verifyLake(
  settings: Settings,
  derived: readonly Derived[],
  { signal }: CallOptions,
): Promise<Verification> {
  return await withTarget(settings, derived, async (target) => {
    const verifier = new Verifier(target)
    try {
      const { isSound, findings } = await verifier.verify(() => signal?.throwIfAborted())
      return {
        isSound,
        findings: findings.map(({ level, file, what, repair }) => ({ level, file, what, repair })),
      }
    } finally {
      await verifier.close()
    }
  })
}
