import type { DocumentStyle } from '../../derive/open-api/document-types.ts'
import { specifiedForms } from '../../derive/open-api/reply-forms.ts'
import type { Habits } from '../habits/habits.ts'

/** What a document has to say of a server of these habits. */
export function styleOf(habits: Habits): DocumentStyle {
  return {
    forms: { ...(habits.forms ?? specifiedForms), choice: habits.spelling.choice },
    perPage: habits.queries.perPage,
    refusesUnknown: habits.queries.refusesUnknown,
    envelopeOf: habits.envelopeOf,
    errorOf: habits.errorOf,
  }
}
