import type { DocumentStyle } from '../../derive/open-api/document-types.ts'
import type { IntegerForm } from '../../derive/open-api/integer-forms.ts'
import { specifiedForms } from '../../derive/open-api/reply-forms.ts'
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
