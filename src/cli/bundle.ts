/** Exports of the built program: the command line, and those of the package. */
export { useProgram } from '../base/processes/fork-program.ts'
export { ledgerlake } from '../services/library/fastify.ts'
export { LedgerlakeError, openLake } from '../services/library/library.ts'
export { main } from './main.ts'
