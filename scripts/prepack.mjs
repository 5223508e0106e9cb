import { buildProgram, install } from './prepare.mjs'

/** What `npm pack` does first, on a fresh clone too. */

install()
buildProgram()
