import { createInterface } from 'node:readline'
import { splitStatements } from '../../../answers/sql/split-statements.ts'

export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

const PROMPT = 'lake> '
const CONTINUED = ' ...> '

/**
 * Reads statements, each ended by a semicolon, and runs them one by one until `exit` or the end of the input. Ctrl-C
 * cancels the running statement, or clears the input. Arrow keys recall lines of this session. The history is not
 * stored, because statements name owners and keys.
 */
export async function promptForStatements(
  { input, output }: Terminal,
  run: (statement: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lines = createInterface({ input, output, prompt: PROMPT })
  let typed = ''
  let running: AbortController | undefined
  let isClosed = false
  lines.once('close', () => {
    isClosed = true
  })
  const ask = () => {
    if (isClosed) return
    lines.setPrompt(typed === '' ? PROMPT : CONTINUED)
    lines.prompt()
  }
  lines.on('SIGINT', () => {
    if (running !== undefined) return running.abort(new Error('cancelled'))
    typed = ''
    lines.write(null, { ctrl: true, name: 'u' })
    output.write('\n')
    ask()
  })
  output.write(
    'A SELECT ends with a semicolon; SHOW TABLES and DESCRIBE iot_rewards tell what there is; exit leaves.\n',
  )
  ask()
  for await (const line of lines) {
    if (typed === '' && /^\s*(exit|quit|\\q)\s*;?\s*$/i.test(line)) break
    const { ended, unended: rest } = splitStatements(`${typed}${line}\n`)
    typed = rest === '' ? '' : `${rest}\n`
    for (const statement of ended) {
      running = new AbortController()
      await run(statement, running.signal)
      running = undefined
    }
    ask()
  }
  lines.close()
}
