import { type ErrorCode, errorTable, type ServiceError } from '../../base/errors.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { networkIds, rewardTokensOf } from '../../catalog/networks.ts'
import type { PageMeta } from '../../catalog/query/page.ts'
import { faultForm, pageForms, type ReplyForms } from '../open-api/schemas/reply-forms.ts'
import { exactly } from '../open-api/schemas/schema.ts'
import { type Dialect, type ErrorReply, faultBody } from './dialect.ts'

/** The hosted service has other names for the main token. */
const tokens: ReadonlyMap<string, string> = new Map(
  networkIds.map((id) => [rewardTokensOf(id)[1], `${id}_reward_token_hnt`]),
)

const text = { type: 'string' } as const

const forms: ReplyForms = {
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
      'Position of the page in its list.',
    ),
  }),
  error: {
    description: 'Error message: a sentence, every faulty parameter, or a sentence with its code.',
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

/** Dialect of the hosted service. Source: docs/decisions, "Clients of the hosted service". */
export const relay: Dialect = {
  name: 'relay',
  networks: ['helium'],
  queries: {
    perPage: 50,
    givesFiles: true,
    givesHostedSums: true,
    takesDays: false,
    refusesUnknown: false,
    utcInWords: true,
  },
  spelling: {
    instant: writeDate,
    choice: (name) => tokens.get(name) ?? name,
    truncated: (exact) => exact,
  },
  envelopeOf: () => 'records',
  metaOf: (meta, total) => ({ pagination: { ...meta, count: total, prev_page: pageBefore(meta) } }),
  errorOf,
  forms,
  // The hosted service accepts any scheme before the key.
  keyIn: (authorization) => authorization.trim().split(/\s+/).at(-1) || undefined,
}

/** `2026-07-01 00:00:00 UTC`, without a fraction. */
function writeDate(micros: bigint): string {
  return `${writeInstant(micros).slice(0, 19).replace('T', ' ')} UTC`
}

/** Returns null for a page past the end. */
function pageBefore({ current_page, total_pages, prev_page }: PageMeta): number | null {
  return current_page > total_pages ? null : prev_page
}

/** The hosted service refuses a key without the feature like an unknown key. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = { feature_not_available: 401 }

function errorOf({ code, message, faults }: ServiceError): ErrorReply {
  const status = statuses[code] ?? errorTable[code].status
  if (code === 'not_found') return { status, body: { error: message } }
  if (faults.length > 0) return { status, body: { errors: faults.map(faultBody) } }
  return { status, body: { code, message } }
}
