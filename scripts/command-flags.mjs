import { readFileSync } from 'node:fs'
import { root } from './prepare.mjs'

const [firstLine = ''] = readFileSync(`${root}bin/ledgerlake`, 'utf8').split('\n')

/** The flags of V8 that the command runs with. Code that was compiled ahead is taken only with the same ones. */
export const commandFlags = firstLine.split(' ').filter((word) => word.startsWith('--'))
