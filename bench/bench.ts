import { parseArgs } from 'node:util'
import { benchBase } from './base/base.ts'
import { benchPeers } from './peers/peers.ts'
import { networkSizes } from './support/network.ts'
import type { BenchOptions } from './support/options.ts'

/** `npm run bench`: beside raw DuckDB, PostgreSQL and a bare server, or with --base beside the program of another commit. */

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
