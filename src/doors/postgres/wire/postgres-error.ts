/** An error with a SQLSTATE, as PostgreSQL sends it. */
export class PostgresError extends Error {
  readonly sqlstate: string
  readonly details: ErrorDetails

  constructor(sqlstate: string, sentence: string, details: ErrorDetails = {}) {
    super(sentence)
    this.name = 'PostgresError'
    this.sqlstate = sqlstate
    this.details = details
  }
}

interface ErrorDetails {
  readonly hint?: string
  /** Position in the statement in characters, from 1. */
  readonly position?: number | undefined
  /** Ends the connection. */
  readonly isFatal?: boolean
}

/** Throws a PostgresError; as an expression it has the type `never`. */
export function refuse(sqlstate: string, sentence: string, details: ErrorDetails = {}): never {
  throw new PostgresError(sqlstate, sentence, details)
}

/** Throws the error of a client that breaks the protocol, which ends the connection. Errors: 08P01. */
export function refuseMessage(sentence: string): never {
  return refuse('08P01', sentence, { isFatal: true })
}
