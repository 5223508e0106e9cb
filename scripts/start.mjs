import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { buildProgram, install, root, run } from './prepare.mjs'
import { sampleCommands } from './sample-commands.mjs'

/** `npm start`: from a fresh clone to a served sample network. What is there already is not made again. */

process.chdir(root)
const network = 'data/network'
const lake = 'data/lake'
const program = `${root}bin/ledgerlake`

install()
buildProgram()
if (!existsSync(lake)) {
  makeNetwork()
  makeLake()
}
serve()

/** Made beside its name and renamed, so that a start that was cut off is begun again. */
function makeNetwork() {
  if (existsSync(network)) return
  const unfinished = `${network}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  for (const args of sampleCommands(unfinished)) run(program, args)
  renameSync(unfinished, network)
}

function makeLake() {
  const unfinished = `${lake}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  run(program, ['ingest', network, '--lake', unfinished])
  renameSync(unfinished, lake)
}

function serve() {
  const child = spawn(program, ['serve', '--lake', lake, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Of a signal of the terminal the server gets two, which it takes for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
