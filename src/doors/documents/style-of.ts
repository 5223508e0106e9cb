import { type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { checkOf } from '../../catalog/query/filter-values.ts'
import { integersAsText, type QueryDialect } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { DocumentStyle } from '../open-api/paths/document-types.ts'
import type { IntegerForm } from '../open-api/schemas/integer-forms.ts'
import { specifiedForms } from '../open-api/schemas/reply-forms.ts'

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
