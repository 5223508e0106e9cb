import { refuse } from '../wire/postgres-error.ts'

/** PostgreSQL cuts names at 63 bytes. */
const MOST_CHARACTERS = 1000

/** Refuses a name that a connection should not keep. Errors: 42622. */
export function refuseLongName(name: string): void {
  if (name.length > MOST_CHARACTERS)
    refuse('42622', `A name has ${name.length} characters; use at most ${MOST_CHARACTERS}.`)
}
