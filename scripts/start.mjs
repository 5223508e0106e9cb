import { spawn, spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { isBuilt } from './build-stamp.mjs'
import { buildProgram, install, root, sampleCommands } from './prepare.mjs'

/** `npm start`: from a fresh clone to a served sample network. What is there already is not made again. */

process.chdir(root)
const network = 'data/network'
const lake = 'data/lake'
const program = `${root}bin/ledgerlake`
const CONTENT = '3,000 hotspots, 30 days of rewards, two months of ledger'

install()
if (!isBuilt(root)) {
  console.log('Building the program.')
  buildProgram()
}
if (!existsSync(lake)) {
  console.log(`Making a sample network: ${CONTENT}.`)
  makeNetwork()
  console.log(`Ingesting it into ${lake}, and indexing it.`)
  makeLake()
}
serve()

/** Made beside its name and renamed, so that a start that was cut off is begun again. */
function makeNetwork() {
  if (existsSync(network)) return
  const unfinished = `${network}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  for (const args of sampleCommands(unfinished)) runQuietly(args)
  renameSync(unfinished, network)
}

function makeLake() {
  const unfinished = `${lake}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  runQuietly(['ingest', network, '--lake', unfinished])
  renameSync(unfinished, lake)
}

/** Runs a command of the program; its output is shown when it fails, and this leaves with its exit code. */
function runQuietly(args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) throw error
  if (status === 0) return
  process.stderr.write(stdout + stderr)
  process.exit(status ?? 1)
}

function serve() {
  const args = ['serve', '--lake', lake, ...process.argv.slice(2)]
  const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] })
  createInterface(child.stdout).on('line', announcer())
  // Of a signal of the terminal the server gets two, which it takes for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('close', (code) => process.exit(code ?? 1))
}

/** Turns the first lines of the server into five for a newcomer, and passes on all others. */
function announcer() {
  let examples = 0
  return (line) => {
    if (/^ledgerlake serves .* at http\S+$/.test(line))
      console.log(
        `${line}\n  In it:    a sample network of ${CONTENT}\n  Explorer: open that address in a browser`,
      )
    else if (/^ {2}curl /.test(line)) {
      examples += 1
      if (examples > 1) return
      console.log(
        `  Ask:      ${line.trim()}\n  Stop:     Ctrl+C; for data of your own: bin/ledgerlake ingest PATH... --lake data/mine`,
      )
    } else if (!/^Open (that address|one of them) /.test(line)) console.log(line)
  }
}
