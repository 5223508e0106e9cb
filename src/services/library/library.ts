/** The package: what `import 'ledgerlake'` gives. */
export { ServiceError as LedgerlakeError } from '../../base/errors.ts'
export type * from './api.ts'
export type * from './calls.ts'
export { openLake } from './open-lake.ts'
export type * from './tables.ts'
