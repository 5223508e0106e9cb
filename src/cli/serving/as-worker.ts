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

/** The parent's side of a worker process. */
export interface WorkerHooks {
  readonly isWorker?: boolean
  readonly report: (error: unknown) => void
  /** Tells the operator each time, where `report` leaves out what repeats. */
  readonly say: (sentence: string) => void
  /** Has built what is derived and missing. */
  readonly build: () => Promise<void>
  /** Ends what is being built; left out where somebody else does. */
  readonly closeBuilder?: () => Promise<void>
  readonly gatherMetrics?: GatherMetrics
  /** Called once nothing is answered any more. */
  readonly atEnd?: () => Promise<void>
  /** Told of each file whose bytes were compared with its digest. */
  readonly onVerdict: (verdict: Verdict) => void
  /** Whether this process looks at files that nobody asks for; so it does if left out. */
  readonly mayScrub?: () => Promise<boolean>
  /** Folder of the log of counts, where it cannot lie beside the key file. */
  readonly countsFolder?: string | undefined
  /** Where several processes accept on one port. */
  readonly connections?: ConnectionBalance | undefined
  /** The secret that signs addresses of shared files, if other processes answer for them too. */
  readonly shareSecret?: string | undefined
}

/** A process that listens. */
export interface RunningServer {
  /** Lines to print. */
  readonly lines: readonly string[]
  /** Answers what is under way and ends the process. */
  stop(): void
  /** Takes over what another process found. */
  learn(verdict: Verdict): void
  /** Accepts no connection any more, and ends the process once all are closed. */
  retire(): Promise<void>
}

/** Serves as one of several workers, and reports to the parent. */
export async function serveAsWorker(
  link: ParentLink,
  answer: (settings: Settings, around: WorkerHooks) => Promise<RunningServer>,
): Promise<void> {
  const tell = (question: string, value: unknown) => void link.ask(question, value).catch(() => {})
  try {
    // The configuration file may have changed since the server was started.
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
      // Counts since the last scrape of metrics would be lost.
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
