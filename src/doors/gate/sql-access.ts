import type { FastifyRequest } from 'fastify'
import type { StatementRunner } from '../../answers/sql/process/statement-runner.ts'
import { sentenceOf } from '../../base/errors.ts'
import { sqlFeatures } from '../../catalog/feature.ts'
import { whyNotWhole } from '../../keys/api-key.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { clientOf } from './client.ts'
import { requireFeatures } from './gate.ts'

type Session = Pick<StatementRunner, 'check' | 'firstRows' | 'rows' | 'lines' | 'arrow' | 'parquet' | 'close'>

/** Waits for a turn and opens a session over a snapshot. The function that opens it closes it. */
export type OpenSql = (at: Snapshot, signal?: AbortSignal, client?: string) => Promise<Session>

export interface SqlOptions {
  /** Opens SQL sessions; without it no client gets SQL. */
  readonly openSql?: OpenSql
  /** True if clients without keys get SQL. */
  readonly isSqlOpen?: boolean
}

/** Returns the SQL opener of a client, or why it has none. */
export function sqlAccess(
  request: FastifyRequest,
  { openSql: open, isSqlOpen = false }: SqlOptions,
): OpenSql | string {
  if (open === undefined) return 'This server answers no SQL.'
  const { apiKey } = request
  const openSql: OpenSql = (at, signal) => open(at, signal, clientOf(request))
  if (apiKey === null) return isSqlOpen ? openSql : CLOSED
  try {
    requireFeatures(apiKey, sqlFeatures)
  } catch (error) {
    return sentenceOf(error)
  }
  return whyNotWhole('Sql', apiKey) ?? openSql
}

const CLOSED =
  'This server needs no keys and answers no SQL; it does with --open-sql, and to keys with the feature Sql. ledgerlake mcp does too.'
