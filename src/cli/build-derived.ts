import { sentenceOf } from '../errors.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { buildMissingIndex, buildMissingOrders } from '../services.ts'
import type { Settings } from '../settings.ts'

/** Requests are answered as well without, only slower, so what goes wrong here is told and no more. */
export async function buildDerived(settings: Settings): Promise<void> {
  const tell = (line: string) => process.stderr.write(`${line}\n`)
  const onTable = ({ resource, files }: TableSnapshot, column: string) => {
    const part = resource.access?.parted ? ` of ${files[0]?.partition}` : ''
    tell(`sorting ${resource.name}${part} by ${column} for filters`)
  }
  await buildMissingOrders(settings, { onTable }).catch((error) =>
    tell(`ledgerlake: filters stay slow: ${sentenceOf(error)}`),
  )
  const onYear = ({ resource }: TableSnapshot, year: number) =>
    tell(`gathering the hotspots of ${resource.name} in ${year} for totals`)
  await buildMissingIndex(settings, { onYear }).catch((error) =>
    tell(`ledgerlake: totals of one hotspot stay slow: ${sentenceOf(error)}`),
  )
}
