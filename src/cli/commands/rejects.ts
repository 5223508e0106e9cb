import { nounOf } from '../../ingest/kinds.ts'
import { openRejectsOf, type ReadStretch, type Reject, readOpenRejects } from '../../lake/open-rejects.ts'
import { toRangePlan } from '../../query/to-plan.ts'
import { openServices } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { type Print, visible } from '../terminal-text.ts'

/**
 * Prints the open rejects one by one, in the order of their table: as text with a line that counts them, or as JSON
 * objects, one a line. Errors: `not_ready` when there is no lake, `lake_damaged`.
 */
export async function listRejects(settings: Settings, json: boolean, print: Print): Promise<void> {
  const services = await openServices(settings)
  try {
    const snapshot = await services.lake.latest()
    const read: ReadStretch = (resource, { path }, stretch) =>
      services.engine.placed.rows(toRangePlan(resource, { file: path, ...stretch }), snapshot)
    const sources = openRejectsOf(snapshot)
    let count = 0
    for (const source of sources) {
      for await (const reject of readOpenRejects(source, read)) {
        print(json ? writeObject(reject) : writeLine(reject))
        count += 1
      }
    }
    if (json) return
    if (count === 0) print(`${settings.lake} has no refused messages.`)
    else print(`${count} refused in ${sources.length} ${sources.length === 1 ? 'file' : 'files'}`)
  } finally {
    await services.close()
  }
}

function writeLine({ source_kind, source_file, ordinal, reason, message }: Reject): string {
  const place = `${nounOf(source_kind)} ${ordinal}`
  return visible(`${source_kind} ${source_file} ${place}, ${message.length} bytes: ${reason}`)
}

/** The ordinal is bare digits, which no library function writes from a bigint. */
function writeObject({ source_kind, source_file, ordinal, reason, message }: Reject): string {
  const text = JSON.stringify
  return (
    `{"source_kind":${text(source_kind)},"source_file":${text(source_file)},"ordinal":${ordinal},` +
    `"reason":${text(reason)},"message":${text(Buffer.from(message).toString('base64'))}}`
  )
}
