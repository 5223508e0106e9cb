import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const LONGEST_MS = 600_000

/** Where pages have folders that a test must not touch; each is one below the folder of the guide instead. */
const places = ['/mnt/', '/srv/', '/tmp/', '/var/']

interface Ended {
  readonly code: number | null
  /** Standard output and standard error, as a terminal would show them. */
  readonly output: string
}

/** Runs the commands of one guide in one folder, where servers go on until they are stopped. */
export interface Shell {
  /** Runs commands; variables that they set are there for the next ones. */
  run(commands: string): Promise<Ended>
  /** Runs a program with a text of a page as its file. */
  runFile(program: readonly string[], name: string, text: string): Promise<Ended>
  stop(): Promise<void>
}

/** `python` is the folder of an environment's programs, which come first. */
export function openShell(folder: string, { python = '' } = {}): Shell {
  const programs = join(folder, 'bin')
  const variables = join(folder, '.variables')
  const servers = new Map<string, { readonly address: string; readonly child: ChildProcess }>()
  mkdirSync(programs, { recursive: true })
  writeFileSync(variables, '')
  writeFileSync(
    join(programs, 'ledgerlake'),
    `#!/bin/sh\nexec '${process.execPath}' '${root}bin/ledgerlake' "$@"\n`,
  )
  chmodSync(join(programs, 'ledgerlake'), 0o755)
  // No progress of transfers, which has times in it.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\n')
  if (!existsSync(join(folder, 'node_modules')))
    symlinkSync(`${root}node_modules`, join(folder, 'node_modules'))
  const given = Object.entries(process.env).filter(
    ([name]) => !/^(LEDGERLAKE_|NODE_OPTIONS|VITEST)/.test(name),
  )
  const path = [python, programs, process.env.PATH].filter(Boolean).join(delimiter)
  const env = {
    ...Object.fromEntries(given),
    PATH: path,
    HOME: folder,
    LEDGERLAKE_WORKERS: '1',
    NO_COLOR: '1',
  }

  /** The text of a page with the addresses and places of this run, and the other way round. */
  const placed = (text: string) =>
    [...servers].reduce(
      (own, [port, { address }]) => own.replaceAll(`127.0.0.1:${port}`, address),
      places.reduce((own, place) => own.replaceAll(place, `${folder}${place}`), text),
    )
  const asShown = (text: string) =>
    [...servers].reduce(
      (own, [port, { address }]) => own.replaceAll(address, `127.0.0.1:${port}`),
      text.replaceAll(folder, ''),
    )

  function start(command: readonly string[]): ChildProcess {
    const [program = '', ...args] = command
    return spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  }

  async function finish(command: readonly string[]): Promise<Ended> {
    const child = start(command)
    const timer = setTimeout(() => kill(child), LONGEST_MS)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    clearTimeout(timer)
    return { code, output: asShown(output) }
  }

  async function serve(line: string): Promise<void> {
    const port = / --port (\d+)/.exec(line)?.[1] ?? '8080'
    await end(servers.get(port)?.child)
    const command = line.replace(/^npm start/, 'ledgerlake serve --lake data/lake')
    const child = start(['sh', '-c', `. '${variables}'; exec ${placed(command)} --port 0`])
    servers.set(port, { address: await addressOf(child), child })
  }

  return {
    async run(commands) {
      const done: Ended[] = []
      for (const { text, isServer } of partsOf(commands)) {
        if (isServer) await serve(text)
        else
          done.push(
            await finish([
              'sh',
              '-c',
              `set -ea; . '${variables}'; ${placed(text)}\nexport -p > '${variables}'`,
            ]),
          )
        if ((done.at(-1)?.code ?? 0) !== 0) break
      }
      return { code: done.at(-1)?.code ?? 0, output: done.map(({ output }) => output).join('') }
    },
    async runFile(program, name, text) {
      writeFileSync(join(folder, name), placed(text))
      return finish([...program, name])
    },
    async stop() {
      for (const { child } of servers.values()) await end(child)
    },
  }
}

/** Lines that start a server, and the commands between them. */
function partsOf(commands: string): readonly { readonly text: string; readonly isServer: boolean }[] {
  const isServer = (line: string) => /^(npm start|(bin\/)?ledgerlake serve)\b/.test(line)
  const parts: { text: string; isServer: boolean }[] = []
  for (const line of commands.trimEnd().split('\n')) {
    const last = parts.at(-1)
    if (last !== undefined && !last.isServer && !isServer(line)) last.text += `\n${line}`
    else parts.push({ text: line, isServer: isServer(line) })
  }
  return parts
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const address = / at https?:\/\/([\w.:-]+)[/"\s]/.exec(said)?.[1]
        if (address !== undefined) resolve(address)
      })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`the server of the guide ended: ${said}`)))
  })
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  kill(child)
  await ended
}
