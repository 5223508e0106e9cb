import { DuckDBConnection } from '@duckdb/node-api'
import { harm } from './durable-state.ts'
import { type Trial, trials } from './trial.ts'

/**
 * Puts faults around statements of DuckDB that read or write files of a trial. Its own calls of the system are not seen: a
 * statement fails as a whole, and a file that it wrote is harmed once it is there.
 */

const words: Readonly<Record<string, string>> = {
  EIO: 'Input/output error',
  ENOSPC: 'No space left on device',
  EROFS: 'Read-only file system',
}

const WRITTEN = /\bCOPY\b.*\bTO '((?:[^']|'')+)' \(/s

/** A path of the trial that a text of SQL has. */
function pathIn(text: string, trial: Trial): string | undefined {
  const at = text.indexOf(`'${trial.folder}`)
  return at < 0 ? undefined : /^'((?:[^']|'')+)'/.exec(text.slice(at))?.[1]
}

async function around<T>(text: string, act: () => Promise<T>): Promise<T> {
  const trial = trials.getStore()
  if (trial?.isGone) throw new Error('IO Error: the process is gone')
  const written = WRITTEN.exec(text)?.[1]
  const path = trial && (written ?? pathIn(text, trial))
  const within = trial?.within(path)
  if (trial === undefined || within === undefined) return await act()
  const effect = written === undefined ? 'reads' : 'copies'
  const { verdict, code } = trial.meet({ call: 'statement', effect, path: within })
  const number = trial.operations.length
  if (verdict === 'fails') {
    const doing = written === undefined ? 'read from' : 'write'
    throw new Error(`IO Error: Could not ${doing} file "${path}": ${words[code] ?? code}`)
  }
  const result = await act()
  if (written !== undefined && (verdict === 'flipped' || verdict === 'short'))
    harmIfFile(written, verdict, trial)
  trial.done(number)
  return result
}

/** A sequence of files is written into a folder, which is let alone. */
function harmIfFile(path: string, verdict: 'flipped' | 'short', trial: Trial): void {
  try {
    trials.exit(() => harm(path, verdict, trial.random))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
  }
}

export function standAroundStatements(): void {
  const connection = DuckDBConnection.prototype
  // The others call these.
  for (const name of ['run', 'stream', 'prepare'] as const) {
    const act = connection[name] as (
      this: DuckDBConnection,
      text: string,
      ...rest: unknown[]
    ) => Promise<unknown>
    Object.assign(connection, {
      [name](this: DuckDBConnection, text: string, ...rest: unknown[]) {
        return around(text, () => act.call(this, text, ...rest))
      },
    })
  }
}
