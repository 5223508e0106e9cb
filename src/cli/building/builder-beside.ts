import { forkProgram } from '../../operate/workers/fork-program.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../settings/settings.ts'
import { settingWords } from './setting-words.ts'

/** The settings that it needs. */
export const besideSettings = ['lake', 'lake_copy_mb', 'state', 'engine', ...writerSettings] as const

/** A process of its own that builds the blocks of files as they are committed. */
export interface BuilderBeside {
  /** All is committed: builds everything but the index by hotspot, and says each step. Returns whether the process came to its end. */
  finish(say: (sentence: string) => void): Promise<boolean>
  /** Ends it, and with it what it has begun. */
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
      // It may have ended already.
      child.send('all is committed', () => {})
      return await ended
    },
    close() {
      if (child.connected) child.disconnect()
    },
  }
}
