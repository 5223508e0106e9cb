import { errorTable, type TextPosition } from '../../../base/errors.ts'
import { MOST_PER_PAGE } from '../../contract/page-parameters.ts'
import { exactly, type IntegerForm, orNull, type Schema } from './schema.ts'

/** Schemas of replies that dialects change. */
export interface ReplyForms {
  /** Schema of `meta`. */
  readonly meta: Schema
  /** Schema of an error. */
  readonly error: Schema
  readonly instant: Schema
  /** Schema of an integer that the source has as longer decimal text; an integer unless given. */
  readonly truncated?: Schema
}

/** Reply forms with spelling of choices and form of integers. */
export interface DocumentForms extends ReplyForms {
  readonly integers: IntegerForm
  choice(name: string): string
}

export const faultForm = exactly({
  param: { type: 'string', description: 'Name of the parameter.' },
  message: { type: 'string', description: 'The error, and what is expected.' },
})

const { properties: errorMembers } = exactly({
  error: { type: 'string', description: 'One sentence, or one for each fault.' },
  code: { type: 'string', enum: Object.keys(errorTable), description: 'Error code, for programs.' },
  errors: { type: 'array', items: faultForm, minItems: 1, description: 'Every faulty parameter at once.' },
  position: exactly<TextPosition>(
    {
      line: { type: 'integer', format: 'int32', minimum: 1, description: 'Line, from 1.' },
      column: { type: 'integer', format: 'int32', minimum: 1, description: 'Column in characters, from 1.' },
      offset: { type: 'integer', format: 'int32', minimum: 0, description: 'Characters before it.' },
    },
    'Place of the error in a statement of SQL.',
  ),
})

const page = { type: 'integer', format: 'int64', minimum: 1 } as const

/** Page members; numbers in both forms of integers. */
export const pageForms = {
  total_pages: { ...page, description: 'Pages that there are; 1 when nothing matches.' },
  current_page: { ...page, description: 'Number of this page.' },
  next_page: {
    ...orNull({ ...page, minimum: 2 }),
    description: 'Number of the page after; null on the last one and past the end.',
  },
  prev_page: {
    ...orNull(page),
    description: 'Number of the page before; null on the first one.',
  },
} as const

/** The members of `meta`. Source: specification, "Pagination info". */
export const metaForms = {
  count: { type: 'integer', minimum: 0, maximum: MOST_PER_PAGE, description: 'Records in this page.' },
  ...pageForms,
} as const

/** A time outside of records, the same in all dialects. */
export const isoInstant: Schema = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-07-01T00:00:00Z'],
}

/** Source: specification, "Pagination info" and "Errors". */
export const specifiedForms: ReplyForms = {
  meta: exactly(metaForms, 'Position of the page in its list.'),
  error: {
    type: 'object',
    description: 'Error message.',
    properties: errorMembers ?? {},
    required: ['error', 'code'],
    additionalProperties: false,
  },
  instant: isoInstant,
}
