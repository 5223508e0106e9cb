import type { Export } from '../export/export-list.ts'
import type { Earnings, EarningsRequest } from './earnings.ts'
import type { EarningsFormat } from './earnings-format.ts'

interface FileRequest extends Pick<EarningsRequest, 'holder' | 'days' | 'tz'> {
  /** Language of CSV for spreadsheets. */
  readonly locale?: string | undefined
}

/** Earnings as a file with a name. */
interface EarningsFile extends Export {
  readonly name: string
}

export function earningsFile(
  earnings: Earnings,
  request: FileRequest,
  format: EarningsFormat,
  signal?: AbortSignal,
): EarningsFile {
  async function* rows(onRows?: (sofar: number) => void) {
    let sent = 0
    for await (const batch of earnings.rows(signal)) {
      yield batch
      sent += batch.length
      onRows?.(sent)
    }
    if (sent !== earnings.count) throw new Error(`earnings gave ${sent} of ${earnings.count} rows`)
  }
  return {
    name: `${fileName(earnings, request)}${format.extension}`,
    rows: format.hasPaymentsAlone ? earnings.payments : earnings.count,
    bytes: (onRows) => format.write(rows(onRows), request),
  }
}

/** Builds a name such as `Furry-Linen-Bee_2025-02-01_2025-02-28`. */
function fileName({ hotspots }: Earnings, { holder: { owner }, days: { first, last } }: FileRequest): string {
  const [hotspot, ...others] = hotspots
  const ofHotspots = others.length > 0 ? `${hotspots.length}-hotspots` : (hotspot?.name ?? hotspot?.key ?? '')
  const who = owner === undefined ? ofHotspots : `owner-${owner}`
  return [shortName(who), first, last].join('_')
}

/** Names come from outside. */
const shortName = (text: string) => text.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)
