import type { Command } from 'commander'
import { visible } from '../../base/visible.ts'
import { rejects } from '../../catalog/lake/rejects.ts'
import type { ListPlan } from '../../catalog/query/plan.ts'
import { rowsOf } from '../../catalog/resource.ts'
import { openRejectsOf, type Reject, type RejectsOfSource } from '../../lake/snapshot/open-rejects.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { nounOf } from '../../write/ingest/decode/kinds.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { counted, print } from '../terminal-text.ts'

export function addRejectsCommand(program: Command): void {
  withSettings(
    program
      .command('rejects')
      .description('List the rejected messages of ingested files that were not ingested since.')
      .option('--json', 'print one JSON object a line, with the message in base64'),
    ['lake', 'state', 'engine_memory_mb', 'engine_threads'],
  ).action((flags: Flags) => listRejects(settingsFrom(flags), flags.json === true))
}

/**
 * Prints the open rejects in the order of their table: as text with a count, or as JSON lines.
 * Errors: `not_ready` without a lake, `lake_damaged`.
 */
async function listRejects(settings: Settings, json: boolean): Promise<void> {
  const services = await openServices(settings)
  try {
    const snapshot = await services.lake.latest()
    const sources = openRejectsOf(snapshot)
    let count = 0
    for (const source of sources) {
      for await (const rows of services.engine.rowBatches(toPlan(source), snapshot)) {
        for (const reject of rowsOf(rejects, rows)) {
          if (source.retried.has(reject.ordinal)) continue
          print(json ? writeObject(reject) : writeLine(reject))
          count += 1
        }
      }
    }
    if (json) return
    if (count === 0) print(`${settings.lake} has no refused messages.`)
    else print(`${count} refused in ${counted(sources.length, 'file')}`)
  } finally {
    await services.close()
  }
}

function toPlan({ kind, name }: RejectsOfSource): ListPlan {
  return {
    resource: rejects,
    columns: Object.keys(rejects.columns),
    where: [
      { column: 'source_kind', match: 'equals', value: kind },
      { column: 'source_file', match: 'equals', value: name },
    ],
  }
}

function writeLine({ source_kind, source_file, ordinal, reason, message }: Reject): string {
  const position = `${nounOf(source_kind)} ${ordinal}`
  return visible(`${source_kind} ${source_file} ${position}, ${message.length} bytes: ${reason}`)
}

/** Writes the ordinal as bare digits, which JSON.stringify cannot do for a bigint. */
function writeObject({ source_kind, source_file, ordinal, reason, message }: Reject): string {
  const text = JSON.stringify
  return (
    `{"source_kind":${text(source_kind)},"source_file":${text(source_file)},"ordinal":${ordinal},` +
    `"reason":${text(reason)},"message":${text(Buffer.from(message).toString('base64'))}}`
  )
}
