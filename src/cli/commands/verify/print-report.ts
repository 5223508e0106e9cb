import { visible } from '../../../base/visible.ts'
import { type Finding, isFault } from '../../../operate/verify/finding.ts'
import type { Report } from '../../../operate/verify/verify.ts'
import { counted, print, sizeText } from '../../terminal-text.ts'

const WIDTH = 80
export function printReport({ findings, isSound, files, bytes, seconds, lake }: Report): void {
  for (const finding of findings) printFinding(finding)
  const faults = findings.filter(isFault).length
  const rate = sizeText(Math.round(bytes / Math.max(seconds, 0.001)))
  if (findings.length > 0) print('')
  print(`${files} files of ${bytes} bytes read in ${seconds.toFixed(1)} s (${rate}/s)`)
  print(
    isSound
      ? `${lake} is sound; ${findings.length} to note`
      : `${counted(faults, 'fault')}, ${findings.length - faults} to note`,
  )
}

function printFinding({ level, kind, file, what, repair }: Finding): void {
  print(visible(`${level}, ${kind}: ${file}`))
  for (const line of [...wrapped(what), ...wrapped(`repair: ${repair}`)]) print(visible(`  ${line}`))
}

/** Wraps words into lines of a terminal; a long word gets its own line. */
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
