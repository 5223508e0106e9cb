import { checkAccess, checkFiles, checkKeys } from './access.ts'
import type { DoctorCheck, DoctorFinding, Patient } from './finding.ts'
import { checkFormats, checkLeftovers, checkRejects } from './leftovers.ts'
import { checkClock, checkOpenFiles } from './machine.ts'
import { checkSpace } from './space.ts'

const checks: readonly DoctorCheck[] = [
  checkFiles,
  checkKeys,
  checkClock,
  checkSpace,
  checkAccess,
  checkOpenFiles,
  checkFormats,
  checkLeftovers,
  checkRejects,
]

/** Returns all findings in the order of the checks. Errors: `lake_damaged`, `lake_unsupported`. */
export async function examine(patient: Patient): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const check of checks) findings.push(...(await check(patient)))
  return findings
}
