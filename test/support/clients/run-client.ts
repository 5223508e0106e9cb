import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A program in some language that asks a server, and the commands that prepare and run it in an empty folder. */
export interface ClientProgram {
  readonly name: string
  /** Programs of the machine that it needs. */
  readonly needs: readonly string[]
  /** The program that asks, beside the list of clients, and its name in the folder. */
  readonly program: readonly [source: string, target: string]
  /** Files that are written first, by their names. */
  readonly files?: Readonly<Record<string, string>>
  /** Lines for a shell. */
  readonly prepare: readonly string[]
  readonly run: string
  /** Begins of lines that differ, and why: faults of the client. */
  readonly exceptions?: Readonly<Record<string, string>>
}

export interface ClientRun {
  /** Folder of the programs that ask. */
  readonly sources: string
  /** Folder for the folders of clients. */
  readonly work: string
  readonly files?: Readonly<Record<string, string>>
  /** Arguments of the program. */
  readonly ask?: string
  /** Lines that it has to print. */
  readonly expected: readonly string[]
}

/** Prepares and runs a client. Returns what came of it in words; the exit code of this process is 1 if it failed. */
export function runClient(client: ClientProgram, { sources, work, files, ask = '', expected }: ClientRun) {
  const missing = client.needs.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) return `skipped, this machine has no ${missing.join(', ')}`
  const began = performance.now()
  const folder = join(work, client.name.replaceAll(' ', '-'))
  const [source, target] = client.program
  writeFiles(folder, { ...files, ...client.files, [target]: readFileSync(join(sources, source), 'utf8') })
  for (const line of client.prepare) {
    const { status, stdout, stderr } = inFolder(line, folder)
    if (status !== 0) return failed(`${line} left with ${status}\n${stdout}${stderr}`)
  }
  const { stdout, stderr } = inFolder(`${client.run} ${ask}`, folder)
  const lines = stdout.trim().split('\n')
  const exceptions = Object.entries(client.exceptions ?? {})
  const wrong = expected.filter(
    (line) => !lines.includes(line) && !exceptions.some(([begin]) => line.startsWith(begin)),
  )
  if (wrong.length > 0) return failed(`did not read\n${wrong.join('\n')}\nbut\n${stdout}${stderr}`)
  const reasons = exceptions.map(([begin, reason]) => `, but ${begin}: ${reason}`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${expected.length - exceptions.length} of ${expected.length} answers right${reasons.join('')}, ${seconds} s`
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function inFolder(line: string, cwd: string) {
  return spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

function failed(reason: string): string {
  process.exitCode = 1
  return `failed: ${reason}`
}
