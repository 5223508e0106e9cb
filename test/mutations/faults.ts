import { assistantFaults } from './assistants.ts'
import { backupFaults } from './backups.ts'
import { blockFaults } from './blocks.ts'
import { bucketFaults } from './buckets.ts'
import { clockFaults } from './clocks.ts'
import { coverageFaults } from './coverage.ts'
import { documentFaults } from './documents.ts'
import { doorFaults } from './doors.ts'
import { durabilityFaults } from './durability.ts'
import { earningsFaults } from './earnings.ts'
import { explorerFaults } from './explorer.ts'
import { exportFaults } from './exports.ts'
import type { Fault } from './fault.ts'
import { fuzzFaults } from './fuzz.ts'
import { guideFaults } from './guides.ts'
import { listFaults } from './lists.ts'
import { operatorFaults } from './operators.ts'
import { overloadFaults } from './overload.ts'
import { sampleFaults } from './samples.ts'
import { seriesFaults } from './series.ts'
import { sharingFaults } from './sharing.ts'
import { singleFaults } from './single.ts'
import { sqlFaults } from './sql.ts'
import { statementFaults } from './statements.ts'
import { storageFaults } from './storage.ts'
import { sumFaults } from './sums.ts'
import { syncFaults } from './sync.ts'
import { trinoFaults } from './trino.ts'
import { verifyFaults } from './verify.ts'
import { wireFaults } from './wire.ts'

export const faults: readonly Fault[] = [
  ...listFaults,
  ...sumFaults,
  ...blockFaults,
  ...storageFaults,
  ...durabilityFaults,
  ...clockFaults,
  ...doorFaults,
  ...documentFaults,
  ...coverageFaults,
  ...sampleFaults,
  ...seriesFaults,
  ...singleFaults,
  ...sqlFaults,
  ...wireFaults,
  ...statementFaults,
  ...earningsFaults,
  ...exportFaults,
  ...operatorFaults,
  ...backupFaults,
  ...verifyFaults,
  ...bucketFaults,
  ...overloadFaults,
  ...fuzzFaults,
  ...assistantFaults,
  ...sharingFaults,
  ...explorerFaults,
  ...guideFaults,
  ...trinoFaults,
  ...syncFaults,
]
