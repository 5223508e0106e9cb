import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { promptForStatements } from '../../../src/cli/commands/sql/sql-prompt.ts'

async function type(lines: string): Promise<{ ran: readonly string[]; shown: string }> {
  const input = new PassThrough()
  const output = new PassThrough()
  const ran: string[] = []
  const prompt = promptForStatements({ input, output }, async (statement) => {
    ran.push(statement)
  })
  input.write(lines)
  // When the lines have been read.
  setImmediate(() => input.end())
  await prompt
  output.end()
  return { ran, shown: await text(output) }
}

describe('the prompt', () => {
  it('runs the statements that were typed before the end of the input', async () => {
    const input = new PassThrough()
    input.end('select 1;\nselect 2;\n')
    const ran: string[] = []
    await promptForStatements({ input, output: new PassThrough() }, async (statement) => {
      ran.push(statement)
    })
    expect(ran).toEqual(['select 1', 'select 2'])
  })

  it('runs statements at their semicolons, one after the other, over lines', async () => {
    const { ran, shown } = await type('select 1; select\n  2\n;\n\nselect 3')
    expect(ran).toEqual(['select 1', 'select\n  2'])
    expect(shown).toContain('lake> ')
    expect(shown).toContain(' ...> ')
  })

  it.each(['exit', 'quit;', ' \\q '])('ends on %j', async (word) => {
    expect((await type(`select 1;\n${word}\nselect 2;\n`)).ran).toEqual(['select 1'])
  })

  it('aborts a statement on Ctrl-C, and discards typed text', async () => {
    const input = new PassThrough()
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    const ran: string[] = []
    const prompt = promptForStatements({ input, output }, async (statement, signal) => {
      ran.push(statement)
      if (statement !== 'select 1') return
      const aborted = once(signal, 'abort')
      input.write('\u0003')
      await aborted
      // When the prompt is there again.
      setImmediate(() => input.end("select 'typed\u0003select 2;\rexit\r"))
    })
    output.resume()
    input.write('select 1;\r')
    await prompt
    expect(ran).toEqual(['select 1', 'select 2'])
  })
})
