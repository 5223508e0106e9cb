import type { FirstRow } from '../../answers/sql/first-rows.ts'
import { fail } from '../../base/errors.ts'
import { oneText, parameter, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import type { Json } from '../../base/values/json-writer.ts'
import { checkOf } from '../../catalog/query/filter-values.ts'
import type { Work } from '../gate/costs.ts'
import { MOST_ROWS, rowsAsked } from './arguments.ts'
import { leftOut, MOST_CHARACTERS, writeReply } from './bounded-reply.ts'
import { oneAfterAnother } from './one-after-another.ts'
import { argumentsOf, rowArguments } from './schemas.ts'
import { snapshotFor, type Tool } from './tool.ts'
import { BONES } from './units.ts'

const parameters = {
  statement: parameter((text, wrong) => text ?? wrong('is required; give one SELECT')),
  rows: rowsAsked,
  as_of: oneText,
}

/** A first guess, corrected by what statements take. */
const work: Work = { kind: 'sql', ms: 250 }

/** One SELECT over a snapshot, in the session that `ledgerlake sql` has. */
export function sqlTool(): Tool {
  const check = checkOf(parameters)
  const inOrder = oneAfterAnother()
  const { rows } = rowArguments
  return {
    name: 'sql',
    title: 'Read-only SQL',
    description:
      'Runs one SELECT in the SQL of DuckDB over the tables and over iot_rewards and mobile_rewards, which join them with token, price, USD, ' +
      'owner and maker. SHOW TABLES, DESCRIBE and SUMMARIZE say what there is. Sum in SQL rather than ask for many rows.',
    inputSchema: argumentsOf(
      {
        statement: {
          type: 'string',
          description: 'One SELECT, such as: select token, sum(usd) from iot_rewards group by token',
        },
        ...(rows && { rows }),
        as_of: {
          type: 'string',
          description: 'Id of a snapshot, or a time in ISO 8601; the newest unless given.',
        },
      },
      ['statement'],
    ),
    isFor: ({ sql }) => typeof sql !== 'string',
    async answer({ raw, faults }, context) {
      const { sql: open, signal, inTurn } = context.caller
      if (typeof open === 'string') fail('feature_not_available', open)
      const { values, faults: wrong } = check(raw)
      refuse([...unknownParameters(Object.keys(raw), Object.keys(parameters)), ...faults, ...wrong])
      const { statement = '', rows: most = MOST_ROWS, as_of: asOf } = values
      const at = await snapshotFor(asOf, context)
      const run = async () => {
        const session = await open(at)
        try {
          return await session.firstRows({ statement, rows: most, characters: MOST_CHARACTERS }, signal)
        } finally {
          await session.close()
        }
      }
      // Statements that wait for each other hold no place of other requests.
      const { columns, rows: found, isCut } = await inOrder(() => inTurn(work, run), signal)
      return writeReply({
        head: { snapshot: at.id, units: { all: BONES } },
        answer: { columns: columns.map(({ name, type }) => ({ name, type })) },
        rows: {
          name: 'rows',
          records: found.map(toRecord),
          before: 0,
          total: undefined,
          isCut,
          next: nextOf,
        },
      })
    },
  }
}

function toRecord(row: FirstRow): Json {
  return 'characters' in row ? leftOut(row.characters) : row
}

/** The order of a statement is its own, so nothing here can go on with it. */
const nextOf = (count: number) => ({
  how: `There are more rows. Sum or filter in the statement; or order it by columns that tell all rows apart, and add LIMIT and OFFSET ${count}.`,
})
