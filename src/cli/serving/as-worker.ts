import { inBackground } from '../../base/background.ts'
import { sentenceOf } from '../../base/errors.ts'
import type { GatherMetrics } from '../../doors/monitoring/whole-metrics.ts'
import { readVerdict, type Verdict, type WrittenVerdict, writeVerdict } from '../../lake/integrity/verdict.ts'
import {
  balanceConnections,
  type ConnectionBalance,
  ConnectionCounts,
} from '../../operate/workers/balance-connections.ts'
import { type ParentLink, reportRefusal } from '../../operate/workers/parent-link.ts'
import { settingsOfWorker } from '../../operate/workers/worker-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { isLogged } from './reporter.ts'

/** Connections of a serving process to its parent or to the command. */
export interface WorkerHooks {
  readonly isWorker?: boolean
  readonly report: (error: unknown) => void
  /** Logs a sentence every time; `report` skips repeated errors. */
  readonly say: (sentence: string) => void
  /** Builds missing indexes. */
  readonly build: () => Promise<void>
  /** Stops a running build; undefined if another process builds. */
  readonly closeBuilder?: () => Promise<void>
  readonly gatherMetrics?: GatherMetrics
  /** Called after the last request. */
  readonly atEnd?: () => Promise<void>
  /** Called after each checksum of a file. */
  readonly onVerdict: (verdict: Verdict) => void
  /** Returns true if this process scrubs idle files; default: it does. */
  readonly mayScrub?: () => Promise<boolean>
  /** Folder of the log of counts, if the folder of the key file is not writable. */
  readonly countsFolder?: string | undefined
  /** Balances connections if several processes accept on one port. */
  readonly connections?: ConnectionBalance | undefined
  /** Secret that signs addresses of shared files, in hex, if other processes use it too. */
  readonly shareSecret?: string | undefined
}

/** A listening process. */
export interface RunningServer {
  /** Lines to print. */
  readonly lines: readonly string[]
  /** Finishes requests in flight and ends the process. */
  stop(): void
  /** Takes over the verdict of another process on a file. */
  learn(verdict: Verdict): void
  /** Stops accepting connections, and ends the process when all are closed. */
  retire(): Promise<void>
}

/** Serves as one of several workers, with the settings of the parent. */
export async function serveAsWorker(
  link: ParentLink,
  answer: (settings: Settings, around: WorkerHooks) => Promise<RunningServer>,
): Promise<void> {
  const tell = (question: string, value: unknown) => void link.ask(question, value).catch(() => {})
  try {
    // Use the parent's settings: the settings file may have changed since its start.
    const settings = (await link.ask('settings')) as Settings
    const countsFolder = (await link.ask('countsFolder')) as string | undefined
    const descriptor = (await link.ask('connectionCounts')) as number | undefined
    const shareSecret = (await link.ask('shareSecret')) as string | undefined
    let samples: () => Promise<unknown> = async () => undefined
    const answering = await answer(settingsOfWorker(settings), {
      isWorker: true,
      report: (error) => isLogged(error) || tell('report', sentenceOf(error)),
      say: (sentence) => tell('say', sentence),
      build: async () => void (await link.ask('build')),
      gatherMetrics(own) {
        samples = own
        link.answer({ samples })
        return async () => String(await link.ask('metrics'))
      },
      // Send the last counts, which the next scrape of metrics would lack.
      atEnd: async () => void (await link.ask('lastSamples', await samples()).catch(() => {})),
      countsFolder,
      connections:
        descriptor === undefined
          ? undefined
          : balanceConnections(new ConnectionCounts(descriptor), link.worker),
      shareSecret,
      onVerdict: (verdict) => tell('verdict', writeVerdict(verdict)),
      mayScrub: async () => (await link.ask('mayScrub')) === true,
    })
    link.answer({ verdict: (found) => answering.learn(readVerdict(found as WrittenVerdict)) })
    link.answer({ stop: answering.stop, retire: () => void inBackground('retiring', answering.retire) })
    tell('ready', answering.lines)
  } catch (error) {
    await reportRefusal(link, error)
  }
}
