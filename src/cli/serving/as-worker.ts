import { inBackground } from '../../base/background.ts'
import { sentenceOf } from '../../base/errors.ts'
import { readVerdict, type WrittenVerdict, writeVerdict } from '../../lake/integrity/verdict.ts'
import { balanceConnections, ConnectionCounts } from '../../operate/workers/balance-connections.ts'
import { type ParentLink, reportRefusal } from '../../operate/workers/parent-link.ts'
import { settingsOfWorker } from '../../operate/workers/worker-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { isLogged } from './reporter.ts'
import type { RunningServer, ServerHooks } from './running-server.ts'

/** Serves as one of several workers, with the settings of the parent. */
export async function serveAsWorker(
  link: ParentLink,
  answer: (settings: Settings, around: ServerHooks) => Promise<RunningServer>,
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
