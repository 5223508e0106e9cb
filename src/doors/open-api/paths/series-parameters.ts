import { TIME_ZONE_PATTERN } from '../../../catalog/query/calendar.ts'
import {
  GROUPS_UNLESS_GIVEN,
  groupingsOf,
  hasHotspots,
  keyFilterOf,
  MOST_GROUPS,
  MOST_HOTSPOTS,
} from '../../../catalog/query/series-parameters.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { intervals } from '../../../catalog/series.ts'
import { daysRule, OWNERS_RULE } from '../../contract/series-meta.ts'
import type { Described } from './document-types.ts'
import { anyText } from './parameter-texts.ts'
import { KEY_PATTERN } from './post-operation.ts'

const KEYS_MEANING = `Keys or names of hotspots, separated by commas; a name of several hotspots is refused. Up to ${MOST_HOTSPOTS} as {"hotspot_keys": [...]} in the body of a POST to the same path.`

const keysText = { type: 'string', pattern: `^${KEY_PATTERN}(?:,${KEY_PATTERN})*$` }

/** Describes the parameters of a series by name, filters excluded. */
export function seriesParameters(resource: Resource): Readonly<Record<string, Described>> {
  const key = keyFilterOf(resource)
  const ofHotspots: Readonly<Record<string, Described>> = {
    owner: {
      description: `Address of an owner: the rewards of the hotspots that belong to it now. ${OWNERS_RULE}`,
      schema: anyText,
    },
    maker_id: { description: 'UUID of a maker: the rewards of the hotspots that it made.', schema: anyText },
    ...(key !== undefined && { [key]: { description: KEYS_MEANING, schema: keysText } }),
    median: {
      description:
        'Adds `meta.medians`: for each known token the number of hotspots that earned more than 0, and the median of their earnings. With group_by=hotspot and interval=all; limit does not change it.',
      schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
    },
  }
  return {
    interval: {
      description: `Length of the steps; all is the whole range in one step. ${daysRule(resource)}`,
      schema: { type: 'string', enum: intervals, default: 'day' },
    },
    tz: {
      description: 'Time zone of the days, from the IANA database, such as Europe/Berlin.',
      schema: { type: 'string', pattern: TIME_ZONE_PATTERN, default: 'UTC' },
    },
    group_by: {
      description:
        'Groups of each step. Rows without a known hotspot, owner, maker or service provider are in the group null.',
      schema: { type: 'string', enum: groupingsOf(resource) },
    },
    limit: {
      description:
        'Maximum number of groups for each token: the groups with the highest earnings over the whole range.',
      schema: {
        ...{ type: 'integer', format: 'int32' },
        ...{ minimum: 1, maximum: MOST_GROUPS, default: GROUPS_UNLESS_GIVEN },
      },
    },
    ...(hasHotspots(resource) && ofHotspots),
  }
}
