import { bytes, origin, text } from '../column.ts'
import { defineResource } from '../resource.ts'

export const rejects = defineResource({
  name: 'rejects',
  doc: 'Messages that could not be stored as rows, kept whole with the reason.',
  columns: {
    source_kind: text('Kind of the artifact.'),
    ...origin,
    reason: text('The error, with the value and what is expected.'),
    message: bytes('The message as it came.'),
  },
  order: [{ column: 'source_kind' }, { column: 'source_file' }, { column: 'ordinal' }],
  partition: null,
})
