import { checkOf } from '../../derive/filter-values.ts'
import type { IntegerForm } from '../../derive/open-api/integer-forms.ts'
import { type RawQuery, refuse } from '../../derive/parameter-text.ts'
import { integersAsText, type QueryDialect } from '../../derive/query-schema.ts'
import { unknownParameters } from '../../derive/unknown-parameters.ts'

const check = checkOf({ integers: integersAsText })

/** Which document is asked for: the one of integers as digits, or as text. Errors: `malformed_request`. */
export function integersAsked(raw: RawQuery, { refusesUnknown }: QueryDialect): IntegerForm {
  const { values, faults } = check(raw)
  refuse([...(refusesUnknown ? unknownParameters(Object.keys(raw), ['integers']) : []), ...faults])
  return values.integers === true ? 'string' : 'number'
}
