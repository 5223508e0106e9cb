import type { FirstRow } from '../../answers/sql/first-rows.ts'
import { fail } from '../../base/errors.ts'
import { parameter, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import type { Json } from '../../base/values/json-writer.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import { runningSql } from '../gate/work-of.ts'
import { MOST_ROWS, rowsParameter } from './arguments.ts'
import { MOST_CHARACTERS, omittedRow, writeReply } from './bounded-reply.ts'
import { argumentsOf, rowArguments } from './schemas.ts'
import { snapshotFor, type Tool } from './tool.ts'
import { BONES } from './units.ts'

const parameters = {
  statement: parameter((text, parameterFaults) => text ?? parameterFaults('is required; give one SELECT')),
  rows: rowsParameter,
  as_of: textParameter,
}

export function sqlTool(): Tool {
  const check = combineChecks(parameters)
  const { rows } = rowArguments
  return {
    name: 'sql',
    title: 'Read-only SQL',
    description:
      `Runs one SELECT in the SQL of DuckDB over the tables and over earnings (pay of hotspots with token, price, USD, owner and maker), daily_earnings, days and ledger_rewards. ` +
      ' SHOW TABLES, DESCRIBE and SUMMARIZE list tables and columns. Sum in SQL rather than ask for many rows.',
    inputSchema: argumentsOf(
      {
        statement: {
          type: 'string',
          description: 'One SELECT, such as: select token, sum(usd) from earnings group by token',
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
      const { sql: open, signal, inTurn } = context.client
      if (typeof open === 'string') fail('feature_not_available', open)
      const { values, faults: wrong } = check(raw)
      refuse([...unknownParameters(Object.keys(raw), Object.keys(parameters)), ...faults, ...wrong])
      const { statement = '', rows: maxRows = MOST_ROWS, as_of: asOf } = values
      const at = await snapshotFor(asOf, context)
      // Statements that wait for a process must not occupy admission slots.
      const session = await open(at, signal)
      const request = { statement, rows: maxRows, characters: MOST_CHARACTERS }
      const run = () => session.firstRows(request, signal)
      const { columns, rows: records, isCut } = await inTurn(runningSql, run).finally(() => session.close())
      return writeReply({
        head: { snapshot: at.id, units: { all: BONES } },
        answer: { columns: columns.map(({ name, type }) => ({ name, type })) },
        rows: {
          name: 'rows',
          records: records.map(toRecord),
          before: 0,
          total: undefined,
          isCut,
          next: continuationHint,
        },
      })
    },
  }
}

function toRecord(row: FirstRow): Json {
  return 'characters' in row ? omittedRow(row.characters) : row
}

/** A statement has its own order, so a cursor cannot continue it. */
const continuationHint = (count: number) => ({
  how: `There are more rows. Sum or filter in the statement; or order it by columns that tell all rows apart, and add LIMIT and OFFSET ${count}.`,
})
