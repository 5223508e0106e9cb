import { sentenceOf } from '../../../base/errors.ts'

/** An error of DuckDB about a statement, with its place in the text that ran. */
export class StatementError extends Error {
  /** The text that ran. */
  readonly text: string
  /** Offset in bytes; undefined if DuckDB names no place. */
  readonly byte: number | undefined

  constructor(message: string, text: string, byte: number | undefined, cause: unknown) {
    super(message, { cause })
    this.name = 'StatementError'
    this.text = text
    this.byte = byte
  }
}

/** An error as DuckDB writes it with the setting `errors_as_json`. */
interface WrittenError {
  readonly exception_type: string
  readonly exception_message: string
  readonly position?: string
}

/** Reads an error that DuckDB wrote as JSON while it ran `text`; returns any other error as it is. */
export function readStatementError(error: unknown, text: string): unknown {
  const [json] = /\{"exception_type".*\}$/s.exec(sentenceOf(error)) ?? []
  if (json === undefined || error instanceof StatementError) return error
  const { exception_type, exception_message, position } = JSON.parse(json) as WrittenError
  const byte = position === undefined ? undefined : Number(position)
  return new StatementError(`${exception_type} Error: ${exception_message}`, text, byte, error)
}
