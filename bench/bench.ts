import { parseArgs } from 'node:util'
import { benchBase } from './base/base.ts'
import { benchPeers } from './peers/peers.ts'
import { networkSizes } from './support/network.ts'
import type { BenchOptions } from './support/options.ts'

/**
 * `npm run bench`: beside raw DuckDB, PostgreSQL and a bare server, or with --base beside the program of another commit.
 * `npm run bench -- NAME` runs another bench with its own flags.
 */

/** Files of the other benches by name; they read the flags behind the name. */
const benches: ReadonlyMap<string, string> = new Map([
  ...['dashboard', 'explorer', 'export', 'graphql', 'ingest', 'keyed', 'large', 'lists'].map(inFolder),
  ...['long-log', 'overload', 'scaling', 'series', 'soak'].map(inFolder),
  ['archive', './ingest/archive.ts'],
])

const [name] = process.argv.slice(2)
if (name === undefined || name.startsWith('-')) await benchRequests()
else await runBench(name)

function inFolder(name: string): [string, string] {
  return [name, `./${name}/${name}.ts`]
}

async function runBench(name: string): Promise<void> {
  const file = benches.get(name)
  if (file === undefined) throw new Error(`no bench ${name}; use one of ${[...benches.keys()].join(', ')}`)
  process.argv.splice(2, 1)
  await import(file)
}

async function benchRequests(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      base: { type: 'string' },
      small: { type: 'boolean', default: false },
      size: { type: 'string', default: 'S' },
      only: { type: 'string' },
      made: { type: 'string' },
    },
  })
  const size = flags.small ? 'small' : flags.size
  if (size !== 'small' && size !== 'S' && size !== 'M' && size !== 'L') {
    throw new Error(`--size is ${size}; use small, S, M or L`)
  }
  const began = performance.now()
  const ids = flags.only?.split(',')
  const options: BenchOptions = {
    size,
    workload: networkSizes[size],
    isSmall: size === 'small',
    isWhole: ids === undefined,
    made: flags.made,
    wanted: (id) => ids?.includes(id) ?? true,
    say: (line) => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`),
  }
  if (flags.base === undefined) await benchPeers(options)
  else await benchBase(flags.base, options)
}
