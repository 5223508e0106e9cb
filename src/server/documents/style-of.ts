import { checkOf } from '../../derive/filter-values.ts'
import type { DocumentStyle } from '../../derive/open-api/document-types.ts'
import type { IntegerForm } from '../../derive/open-api/integer-forms.ts'
import { specifiedForms } from '../../derive/open-api/reply-forms.ts'
import { type RawQuery, refuse } from '../../derive/parameter-text.ts'
import { integersAsText, type QueryDialect } from '../../derive/query-schema.ts'
import { unknownParameters } from '../../derive/unknown-parameters.ts'
import type { Dialect } from '../dialect/dialect.ts'

/** How a document describes a server of this dialect to callers who ask for this form of integers. */
export function styleOf(dialect: Dialect, integers: IntegerForm = 'number'): DocumentStyle {
  return {
    forms: { ...(dialect.forms ?? specifiedForms), choice: dialect.spelling.choice, integers },
    queries: dialect.queries,
    envelopeOf: dialect.envelopeOf,
    errorOf: dialect.errorOf,
  }
}

const check = checkOf({ integers: integersAsText })

/** Which document is asked for: the one of integers as digits, or as text. Errors: `malformed_request`. */
export function integersAsked(raw: RawQuery, { refusesUnknown }: QueryDialect): IntegerForm {
  const { values, faults } = check(raw)
  refuse([...(refusesUnknown ? unknownParameters(Object.keys(raw), ['integers']) : []), ...faults])
  return values.integers === true ? 'string' : 'number'
}
