import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/** Lets the built program serve an empty lake for a moment, and keeps the code that was compiled meanwhile. */

const { loadProgram } = createRequire(import.meta.url)('../bin/load-program.cjs')
const program = loadProgram(`${root}dist/ledgerlake.cjs`)
const lake = mkdtempSync(join(tmpdir(), 'ledgerlake-build-'))
process.on('exit', () => rmSync(lake, { recursive: true, force: true }))
// What is set for the program that will be run, such as a file of keys, is none of this one's business.
for (const name of Object.keys(process.env)) if (name.startsWith('LEDGERLAKE_')) delete process.env[name]
const address = await served()
for (const path of ['', 'readyz', 'v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-02-01']) {
  await (await fetch(address + path)).text()
}
writeFileSync(program.compiledFile, program.compiled())
process.exit(0)

/** The program says where it serves. */
async function served() {
  const print = process.stdout.write
  const said = new Promise((resolve) => {
    process.stdout.write = (text) => {
      const [at] = /http:\S+/.exec(text) ?? []
      if (at !== undefined) resolve(at)
      return true
    }
  })
  program.main(['serve', '--lake', lake, '--port', '0', '--workers', '1', '--log-level', 'warn'])
  const at = await said
  process.stdout.write = print
  return at
}
