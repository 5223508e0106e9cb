import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.each(['1', '2'])(
  'a server of %s processes does not start if keys are required but missing',
  async (workers) => {
    const cwd = await temporaryFolder()
    mkdirSync(join(cwd, 'lake'))
    writeFileSync(join(cwd, 'lake', '_keys_needed'), '')
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const args = ['serve', '--lake', 'lake', '--port', '0', '--host', host, '--workers', workers]
      const { code, stdout, stderr } = await runProgram(args, { cwd })
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringContaining('its key file lake/_keys/keys.ndjson is missing'),
      ])
    }
  },
)
