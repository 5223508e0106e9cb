import { sentenceOf } from '../errors.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { buildMissingCopies, buildMissingIndex } from '../services.ts'
import type { Settings } from '../settings.ts'

/** Requests are answered as well without, only slower, so what goes wrong here is told and no more. */
export async function buildDerived(settings: Settings): Promise<void> {
  const tell = (line: string) => process.stderr.write(`${line}\n`)
  const onTable = ({ resource }: TableSnapshot, column: string) =>
    tell(`sorting ${resource.name} by ${column} for filters`)
  await buildMissingCopies(settings, { onTable }).catch((error) =>
    tell(`ledgerlake: filters stay slow: ${sentenceOf(error)}`),
  )
  const onYear = ({ resource }: TableSnapshot, year: number) =>
    tell(`gathering the hotspots of ${resource.name} in ${year}`)
  await buildMissingIndex(settings, { onYear }).catch((error) =>
    tell(`ledgerlake: lists and totals of one hotspot stay slow: ${sentenceOf(error)}`),
  )
}
