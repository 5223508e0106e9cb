import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { buildProgram, install, root, run } from './prepare.mjs'

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
  const hotspots = ['--out', unfinished, '--hotspots', '3000', '--seed', '1']
  run(program, ['sample', ...hotspots, '--days', '30'])
  // The last two months of the ledger, the past of the same hotspots.
  const ledger = ['--transactions', '20000', '--blocks', '90000', '--start', '2023-02-10']
  run(program, ['sample', '--l1', ...hotspots, ...ledger])
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
