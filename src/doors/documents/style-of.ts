import { type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import { integersAsText, type QueryDialect } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { DocumentStyle } from '../open-api/paths/document-types.ts'
import { specifiedForms } from '../open-api/schemas/reply-forms.ts'
import type { IntegerForm } from '../open-api/schemas/schema.ts'

/** Returns the style of documents for a dialect and a form of integers. */
export function styleOf(dialect: Dialect, integers: IntegerForm = 'number'): DocumentStyle {
  return {
    forms: { ...(dialect.forms ?? specifiedForms), choice: dialect.spelling.choice, integers },
    queries: dialect.queries,
    envelopeOf: dialect.envelopeOf,
    errorOf: dialect.errorOf,
  }
}

const check = combineChecks({ integers: integersAsText })

/** Reads which form of integers the document describes. Errors: `malformed_request`. */
export function integersAsked(raw: RawQuery, { refusesUnknown }: QueryDialect): IntegerForm {
  const { values, faults } = check(raw)
  refuse([...(refusesUnknown ? unknownParameters(Object.keys(raw), ['integers']) : []), ...faults])
  return values.integers === true ? 'string' : 'number'
}
