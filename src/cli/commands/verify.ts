import { join } from 'node:path'
import { errorTable } from '../../errors.ts'
import { openLake } from '../../lake/lake.ts'
import { openScratchFolder } from '../../lake/run-folder.ts'
import { keyFileOf, openRowWriter, openServices, stateFolderOf } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { type Finding, isFault } from '../../verify/finding.ts'
import type { Target } from '../../verify/stock.ts'
import { type Report, Verifier } from '../../verify/verify.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openBytesProgress } from '../progress.ts'
import { type Print, sizeText, visible } from '../terminal-text.ts'

export interface VerifyFlags {
  readonly json?: true
}

/** Verifies a lake, prints what was found, and gives the exit code: that of a damaged lake when there is a fault. Errors: `not_ready`. */
export async function runVerify(settings: Settings, { json }: VerifyFlags, print: Print): Promise<number> {
  await openLake(settings.lake)
  lowerPriority()
  return await withTarget(settings, async (target) => {
    const report = await verifyOnce(target)
    if (json) print(JSON.stringify(report, null, 2))
    else printReport(report, print)
    return report.isSound ? 0 : errorTable.lake_damaged.exit
  })
}

async function verifyOnce(target: Target): Promise<Report> {
  const verifier = new Verifier(target)
  const progress = openBytesProgress(process.stderr)
  try {
    return await verifier.verify(progress.update)
  } finally {
    progress.stop()
    await verifier.close()
  }
}

/** What is verified, put together from settings; what its parts spill goes with them. */
async function withTarget<T>(settings: Settings, work: (target: Target) => Promise<T>): Promise<T> {
  const [state, keyFile] = [stateFolderOf(settings), keyFileOf(settings)]
  const services = await openServices(settings)
  const spill = await openScratchFolder(join(state, 'spill'))
  try {
    return await work({
      ...{ lake: settings.lake, state, keyFile, derived: services.derived },
      openReader: () => openRowWriter(settings, spill.folder),
    })
  } finally {
    await services.close()
    await spill.close()
  }
}

const WIDTH = 80

function printReport({ findings, isSound, files, bytes, seconds, lake }: Report, print: Print): void {
  for (const finding of findings) printFinding(finding, print)
  const faults = findings.filter(isFault).length
  const rate = sizeText(Math.round(bytes / Math.max(seconds, 0.001)))
  if (findings.length > 0) print('')
  print(`${files} files of ${bytes} bytes read in ${seconds.toFixed(1)} s (${rate}/s)`)
  print(
    isSound
      ? `${lake} is sound; ${findings.length} to note`
      : `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${findings.length - faults} to note`,
  )
}

function printFinding({ level, kind, file, what, repair }: Finding, print: Print): void {
  print(visible(`${level}, ${kind}: ${file}`))
  for (const line of [...wrapped(what), ...wrapped(`repair: ${repair}`)]) print(visible(`  ${line}`))
}

/** Words in lines of a terminal; a long word has a line of its own. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH - 2) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
