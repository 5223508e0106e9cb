import { earningsOf } from '../../answers/earnings/earnings.ts'
import { earningsSummary } from '../../answers/earnings/earnings-summary.ts'
import { refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { earningsNeeds, earningsParameters, earningsQuery } from '../contract/earnings-query.ts'
import { workOfStatement } from '../gate/work-of.ts'
import { fromServedMember } from '../rest/coverage.ts'
import { daysWithinKey } from '../rest/query/days-within-key.ts'
import { MOST_ROWS } from './arguments.ts'
import { writeReply } from './bounded-reply.ts'
import { argumentsOf } from './schemas.ts'
import { replyAt, type Tool } from './tool.ts'

const { format: _format, locale: _locale, ...parameters } = earningsParameters

const units = {
  all: 'Amounts are whole tokens and USD, exact, as text. Null is unknown, never zero; the state of a row says why.',
}

/** The tool for the earnings of REST, with sums and gaps. */
export const earningsTool: Tool = {
  name: 'earnings',
  title: 'What hotspots earned, day by day',
  description:
    'What the hotspots of an owner, or given hotspots, earned on each day in whole tokens and USD, with sums of all days, the days without data, and unknown hotspots. ' +
    'Days are those that were paid, both ends included.',
  inputSchema: argumentsOf(
    Object.fromEntries(
      Object.entries(parameters).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    ['first_day', 'last_day'],
  ),
  async answer({ raw, faults }, context) {
    const { repository, client } = context
    client.requireFeatures(earningsNeeds)
    refuse([...faults, ...unknownParameters(Object.keys(raw), Object.keys(parameters))])
    const { owner, texts, days: requested, tz, asOf } = earningsQuery(raw)
    const { days, from } = daysWithinKey({ days: requested, tz }, 'last_day', client.allowed)
    const { reach, signal } = client
    return await replyAt(asOf, context, async (at) => {
      const request = { holder: { owner, texts }, days, tz, reach }
      const summarize = async () =>
        await earningsSummary(
          await earningsOf(repository, request, at, signal),
          request,
          at,
          signal,
          MOST_ROWS,
        )
      const compute = () => unlessGone(summarize(), signal)
      const { head, rows: records, count } = await client.inTurn(workOfStatement('file', days), compute)
      // Rows name the hotspots.
      const { hotspots: _hotspots, ...answer } = head
      return writeReply({
        ...{ head: { snapshot: at.id, ...fromServedMember(from), units }, answer },
        rows: {
          ...{ name: 'rows', records, before: 0, total: count, isCut: records.length < count },
          next: () => ({ how: 'Ask for fewer days or hotspots; the sums are of all rows.' }),
        },
      })
    })
  },
}
