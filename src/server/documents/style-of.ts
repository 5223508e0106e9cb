import type { DocumentStyle } from '../../derive/open-api/document-types.ts'
import type { IntegerForm } from '../../derive/open-api/integer-forms.ts'
import { specifiedForms } from '../../derive/open-api/reply-forms.ts'
import type { Habits } from '../habits/habits.ts'

/** What a document has to say of a server of these habits to callers who ask for this form of integers. */
export function styleOf(habits: Habits, integers: IntegerForm = 'number'): DocumentStyle {
  return {
    forms: { ...(habits.forms ?? specifiedForms), choice: habits.spelling.choice, integers },
    queries: habits.queries,
    envelopeOf: habits.envelopeOf,
    errorOf: habits.errorOf,
  }
}
