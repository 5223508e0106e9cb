import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { errorTable, fail } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { isFault } from '../../operate/verify/finding.ts'
import type { Target } from '../../operate/verify/inventory.ts'
import { repair } from '../../operate/verify/repair.ts'
import { type Report, Verifier } from '../../operate/verify/verify.ts'
import { stateFolderOf } from '../../services/folders.ts'
import { withTarget } from '../../services/library/lake-writes.ts'
import { openRowWriter, writerSettings } from '../../services/row-writer.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { localPath } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openAmountProgress } from '../progress.ts'
import { printJson } from '../terminal-text.ts'
import { printReport } from './verify/print-report.ts'

export function addVerifyCommand(program: Command): void {
  withSettings(
    program
      .command('verify')
      .description(
        'Read every byte of the lake, its state folder and its keys, and compare them with their checksums and with each other; without --repair nothing is written.',
      )
      .argument('[path...]', 'with --repair: source files and folders, to decode damaged data files again')
      .option(
        '--repair',
        'repair what can be repaired, then verify again; indexes and checkpoints are rebuilt',
      )
      .option(
        '--from <DIR>',
        'with --repair: copy damaged files from a backup, a folder of backups or another copy of the lake',
        localPath,
      )
      .option('--json', 'print the findings as JSON'),
    ['lake', 'state', 'keys', 'engine_memory_mb', ...writerSettings],
  ).action(async (paths: string[], flags: Flags & VerifyFlags) => {
    process.exitCode = await runVerify(settingsFrom(flags), paths, flags)
  })
}

interface VerifyFlags {
  readonly json?: true
  readonly repair?: true
  /** A backup, a folder of backups, or another copy of the lake. */
  readonly from?: string
}

/**
 * Verifies a lake; with `--repair` also repairs it and verifies it again. Prints the last findings and returns the exit
 * code: that of a damaged lake if there is a fault.
 * Errors: `not_ready`, `malformed_request`, those of `repair`.
 */
async function runVerify(settings: Settings, paths: readonly string[], flags: VerifyFlags): Promise<number> {
  refuseIdle(paths, flags)
  await openLake(settings.lake)
  lowerPriority()
  return await withOpened(settings, async (target) => {
    const first = await verifyOnce(target)
    const report = flags.repair ? await repairAll(settings, target, first, paths, flags.from) : first
    if (flags.json) printJson(report)
    else printReport(report)
    return report.isSound ? 0 : errorTable.lake_damaged.exit
  })
}

function refuseIdle(paths: readonly string[], { repair: isRepair, from }: VerifyFlags): void {
  if (isRepair) return
  const idle = from === undefined ? paths[0] : `--from ${from}`
  if (idle !== undefined)
    fail('malformed_request', `${idle} has no effect without --repair; add it, or leave it out`)
}

/** A repaired log may name files that were not checked before, so a second round may be needed. */
const MOST_ROUNDS = 3

async function repairAll(
  settings: Settings,
  target: Target,
  first: Report,
  paths: readonly string[],
  from: string | undefined,
): Promise<Report> {
  const reported = new Set<string>()
  const onStep = (sentence: string) => process.stderr.write(`${visible(sentence)}\n`)
  const openWriter = (spill: string) => openRowWriter(settings, spill)
  let report = first
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { findings } = report
    const isNew = findings.some(
      ({ file, level }) => (round === 0 || level === 'fault') && !reported.has(file),
    )
    if (!isNew) break
    for (const { file } of findings.filter(isFault)) reported.add(file)
    await repair({ target, findings, paths, from, openWriter, onStep })
    report = await verifyOnce(target)
  }
  return report
}

async function verifyOnce(target: Target): Promise<Report> {
  const verifier = new Verifier(target)
  const progress = openAmountProgress(process.stderr, 'bytes')
  try {
    return await verifier.verify(progress.update)
  } finally {
    progress.stop()
    await verifier.close()
  }
}

/** Opens what a verification reads. The lake may be read-only, so no folder of it stays that opening made. */
async function withOpened<T>(settings: Settings, work: (target: Target) => Promise<T>): Promise<T> {
  const state = stateFolderOf(settings)
  const hadState = existsSync(state)
  const services = await openServices(settings)
  try {
    return await withTarget(settings, services.derived, work)
  } finally {
    await services.close()
    if (!hadState) for (const folder of [join(state, 'spill'), state]) await rmdir(folder).catch(() => {})
  }
}
