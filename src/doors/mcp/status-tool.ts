import { refuse } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { isList } from '../../base/values/json-writer.ts'
import { statusRange, statusSchema } from '../contract/status-query.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { readingLog } from '../gate/work-of.ts'
import { readStatusCoverages, statusOf } from '../rest/status.ts'
import { writeReply } from './bounded-reply.ts'
import { argumentsOf } from './schemas.ts'
import { snapshotFor, type Tool } from './tool.ts'

/** Creates the tool for the status of REST. */
export function statusTool(dialect: Dialect): Tool {
  const check = statusSchema(dialect.queries)
  const range = Object.entries(statusRange).map(([name, { doc }]) => [
    name,
    { type: 'string', description: doc },
  ])
  const asOf = {
    type: 'string',
    description: 'Id of a snapshot, or a time in ISO 8601; the newest unless given.',
  }
  return {
    name: 'status',
    title: 'Tables of the lake',
    description:
      'Every table with its number of rows, its first and last period, and which days, files and manifests a range lacks. Ask it first to ' +
      'know which dates there are.',
    inputSchema: argumentsOf({ ...Object.fromEntries(range), as_of: asOf }, []),
    async answer({ raw, faults }, context) {
      refuse(faults)
      const query = check(raw)
      const { repository, client } = context
      const { signal } = client
      const at = await snapshotFor(query.asOf, context)
      const reading = () => readStatusCoverages(repository.coverages, at, signal)
      await client.inTurn(readingLog, () => unlessGone(reading(), signal))
      const { tables, ...answer } = statusOf(at, repository.coverages, query, client.allowed)
      const units = { rows: 'Rows of the table.', first_period: 'End of its first period, UTC.' }
      const records = isList(tables) ? tables : []
      return writeReply({
        ...{ head: { snapshot: at.id, units }, answer },
        rows: {
          name: 'tables',
          records,
          before: 0,
          total: records.length,
          isCut: false,
          next: () => ({ how: NEXT }),
        },
      })
    },
  }
}

const NEXT = 'Ask for a shorter range with from and to; its coverage is shorter.'
