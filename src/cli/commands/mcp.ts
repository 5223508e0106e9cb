import type { Command } from 'commander'
import { fullReach } from '../../answers/unknown/reach.ts'
import { CloseStack } from '../../base/close-stack.ts'
import { sentenceOf } from '../../base/errors.ts'
import { visibleLines } from '../../base/visible.ts'
import { resources } from '../../catalog/resources.ts'
import { specifiedDialect } from '../../doors/dialect/dialect.ts'
import { anySignal } from '../../doors/http/request-signal.ts'
import { createDoor } from '../../doors/mcp/door.ts'
import { allTools } from '../../doors/mcp/tools.ts'
import { followLake } from '../../doors/snapshots/served-snapshots.ts'
import { openReader } from '../../lake/runs/readers.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { servedSql } from '../../services/sql.ts'
import { type Flags, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'

export function addMcpCommand(program: Command): void {
  withSettings(
    program
      .command('mcp')
      .description(
        'Answer an assistant over standard input and output, by the Model Context Protocol: lists, sums, and read-only SQL.',
      ),
    [...readingSettings, 'request_timeout_ms', 'refresh_ms'],
  ).action((flags: Flags) => runMcp(settingsFrom(flags)))
}

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Serves one assistant over standard input and output, until the input ends or a signal arrives. The user can read the
 * lake anyway, so it needs no keys and runs SQL. Errors: those of the lake.
 */
async function runMcp(settings: Settings): Promise<void> {
  const report = (error: unknown) => process.stderr.write(`ledgerlake: ${visibleLines(sentenceOf(error))}\n`)
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of signals) process.once(signal, end)
  const opened = new CloseStack()
  try {
    const services = await openServices(settings, { report, onUnread: report })
    opened.add(services.close)
    const reader = await openReader(settings.lake)
    opened.add(reader.close)
    const declared = { reader, longestMs: settings.request_timeout_ms }
    const snapshots = await followLake(services.lake, settings.refresh_ms, services.warm, report, declared)
    opened.add(snapshots.close)
    const served = servedSql(settings, report)
    opened.add(served.close)
    const sql = served.open
    const door = createDoor({
      tools: allTools(resources, specifiedDialect, `/v1/${settings.network}`),
      ...{ repository: services.repository, snapshots, sql },
      errorLog: { id: 'of this process', log: { error: (_details, sentence) => report(sentence) } },
      clientOf(cancelled) {
        const signal = anySignal(cancelled, AbortSignal.timeout(settings.request_timeout_ms))
        return {
          ...{ signal, sql, features: undefined },
          allowed: (_resource, filters) => ({ filters, from: undefined }),
          reach: fullReach,
          requireFeatures() {},
          inTurn: (_work, job) => job(),
        }
      },
    })
    const { speakOverStdio } = await import('../../doors/mcp/protocol.ts')
    await speakOverStdio(door, stop.signal)
  } finally {
    for (const signal of signals) process.off(signal, end)
    await opened.close()
  }
}
