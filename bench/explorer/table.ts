import { digits, markdownTable, whole } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'

export interface ExplorerCase {
  readonly page: string
  readonly network: string
  readonly requests: number
  /** As they are sent, compressed. */
  readonly fileBytes: number
  readonly replyBytes: number
  /** Milliseconds from the navigation to the first chart. */
  readonly chart: Spread
  readonly chartMs: readonly number[]
}

export function explorerTable(cases: readonly ExplorerCase[]): string {
  return markdownTable(
    ['page', 'requests', 'KB of files', 'KB of replies', 'first chart p50 ms', 'max ms'],
    cases.map(({ page, network, requests, fileBytes, replyBytes, chart }) => [
      `${page} (${network})`,
      ...[whole(requests), digits(fileBytes / 1000), digits(replyBytes / 1000)],
      ...[whole(chart.p50), whole(chart.max)],
    ]),
  )
}
