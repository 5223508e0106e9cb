import { main } from '../../../src/cli/main.ts'

/** What a command printed, and its exit code. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const LONGEST_MS = 600_000

/** Runs a command of the program in this process; one that does not end within five minutes is an error. */
export async function run(...args: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const writes = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name]
    const { write } = stream
    stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += String(text)
      const done = rest.at(-1)
      if (typeof done === 'function') setImmediate(() => done())
      return true
    }
    return () => {
      stream.write = write
      stream.removeAllListeners('error')
    }
  })
  process.exitCode = undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${args.join(' ')} does not end`)), LONGEST_MS)
  })
  try {
    await Promise.race([main(args), late])
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    clearTimeout(timer)
    process.exitCode = undefined
    for (const restore of writes) restore()
  }
}

/** The same of a command that has to succeed; gives its standard output. */
export async function must(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout}`)
  return stdout
}
