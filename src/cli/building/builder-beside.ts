import { forkProgram } from '../../operate/workers/fork-program.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../settings/settings.ts'
import { settingWords } from './setting-words.ts'

/** Settings passed to the child process. */
export const besideSettings = ['lake', 'lake_copy_mb', 'state', 'engine', ...writerSettings] as const

/** A child process that builds row indexes while files are committed. */
export interface BuilderBeside {
  /**
   * Lets the child process build all indexes but the index by hotspot after the last commit, and prints each step.
   * Returns true if it succeeded.
   */
  finish(say: (sentence: string) => void): Promise<boolean>
  /** Stops the child process and its work. */
  close(): void
}

export function startBuilderBeside(settings: Settings): BuilderBeside {
  const child = forkProgram(['build-beside', ...settingWords(settings, besideSettings)])
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  return {
    async finish(say) {
      child.on('message', (sentence) => say(String(sentence)))
      // The process may have ended already.
      child.send('all is committed', () => {})
      return await ended
    },
    close() {
      if (child.connected) child.disconnect()
    },
  }
}
