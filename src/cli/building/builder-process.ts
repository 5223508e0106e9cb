import { forkProgram } from '../../base/processes/fork-program.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../services/settings/settings.ts'
import type { StepLine } from '../progress.ts'
import { settingFlags } from './setting-flags.ts'

/** Settings of the child process. A server with Trino also builds offloaded bytes with Trino. */
export const builderSettings = [
  ...(['lake', 'lake_copy_mb', 'state', 'engine', 'engine_memory_mb'] as const),
  ...writerSettings,
  ...(['trino_server', 'trino_catalog', 'trino_schema', 'trino_user', 'trino_session'] as const),
] as const

/** A step that begins, or an index that cannot be built. */
export type BuilderMessage = { readonly step: string } | { readonly failure: string }

/** A child process that builds missing indexes. */
export interface BuilderProcess {
  /** Resolves when the process has exited, to true if its exit code is 0. */
  readonly ended: Promise<boolean>
  /** Reports the last commit of an ingest to the process, which then sends each step and failure, and exits. */
  finish(steps: Pick<StepLine, 'begin' | 'keep'>): Promise<boolean>
  /** Stops the process, which removes its incomplete files. */
  close(): void
}

/** Starts a process that builds all indexes, or during an ingest the row indexes. */
export function startBuilder(settings: Settings, isDuringIngest = false): BuilderProcess {
  const child = forkProgram([...builderWords(settings), ...(isDuringIngest ? ['--during-ingest'] : [])])
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  return {
    ended,
    finish({ begin, keep }) {
      child.on('message', (message) => {
        const sent = message as BuilderMessage
        if ('failure' in sent) keep(sent.failure)
        else begin(sent.step)
      })
      // The process may have ended already.
      child.send('all is committed', () => {})
      return ended
    },
    close() {
      // The process stops its work when the pipe closes.
      if (child.connected) child.disconnect()
    },
  }
}

/** Returns the command that builds all indexes with these settings. */
export function builderWords(settings: Settings): readonly string[] {
  return ['build-derived', ...settingFlags(settings, builderSettings)]
}
