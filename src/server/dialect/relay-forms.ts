import { faultForm, pageForms, type ReplyForms } from '../../derive/open-api/reply-forms.ts'
import { exactly } from '../../derive/open-api/schema.ts'

const text = { type: 'string' } as const

/** What replies of the hosted service look like. Source: docs/decisions, "Clients of the hosted service". */
export const relayForms: ReplyForms = {
  meta: exactly({
    pagination: exactly(
      {
        count: {
          type: 'integer',
          format: 'int64',
          minimum: 0,
          description: 'Records that match, over all pages.',
        },
        ...pageForms,
      },
      'Where the page stands in its list.',
    ),
  }),
  error: {
    description: 'Why there is no answer: a sentence, every faulty parameter, or a sentence with its code.',
    anyOf: [
      exactly({ error: text }),
      exactly({ errors: { type: 'array', items: faultForm, minItems: 1 } }),
      exactly({ code: text, message: text }),
    ],
  },
  instant: {
    type: 'string',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC$',
    examples: ['2026-07-01 00:00:00 UTC'],
  },
  truncated: { type: 'string', examples: ['668060.655119335628677836557476'] },
}
