/** What the built program gives: the command line, and what the package exports. */
export { useProgram } from '../base/processes/fork-program.ts'
export { ledgerlake } from '../services/library/fastify.ts'
export { LedgerlakeError, openLake } from '../services/library/library.ts'
export { main } from './main.ts'
