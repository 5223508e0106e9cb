import { inBackground } from '../../base/background.ts'
import { sentenceOf } from '../../base/errors.ts'
import { balanceConnections, ConnectionCounts } from '../../base/processes/balance-connections.ts'
import { type ParentLink, reportRefusal } from '../../base/processes/parent-link.ts'
import type { CancelKey } from '../../doors/postgres/connections.ts'
import { readVerdict, type WrittenVerdict, writeVerdict } from '../../lake/integrity/verdict.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { isLogged } from './reporter.ts'
import type { RunningServer, ServerHooks } from './running-server.ts'
import { settingsOfWorker } from './worker-settings.ts'

/** Serves as one of several workers, with the settings of the parent. */
export async function serveAsWorker(
  link: ParentLink,
  answer: (settings: Settings, around: ServerHooks) => Promise<RunningServer>,
): Promise<void> {
  try {
    // Use the parent's settings: the settings file may have changed since its start.
    const settings = (await link.request('settings')) as Settings
    const countsFolder = (await link.request('countsFolder')) as string | undefined
    const descriptor = (await link.request('connectionCounts')) as number | undefined
    const shareSecret = (await link.request('shareSecret')) as string | undefined
    let samples: () => Promise<unknown> = async () => undefined
    const answering = await answer(settingsOfWorker(settings), {
      isWorker: true,
      report: (error) => isLogged(error) || link.notify('report', sentenceOf(error)),
      say: (sentence) => link.notify('say', sentence),
      build: async () => void (await link.request('build')),
      gatherMetrics(own) {
        samples = own
        link.handle({ samples })
        return async () => String(await link.request('metrics'))
      },
      // Send the last counts, which the next scrape of metrics would lack.
      atEnd: async () => void (await link.request('lastSamples', await samples()).catch(() => {})),
      countsFolder,
      connections:
        descriptor === undefined
          ? undefined
          : balanceConnections(new ConnectionCounts(descriptor), link.worker),
      shareSecret,
      sqlThreads: settings.engine_threads,
      cancels: {
        send: (key) => link.notify('cancel', key),
        follow: ({ cancel }) => link.handle({ cancel: (key) => cancel(key as CancelKey) }),
      },
      onVerdict: (verdict) => link.notify('verdict', writeVerdict(verdict)),
      mayScrub: async () => (await link.request('mayScrub')) === true,
    })
    link.handle({ verdict: (found) => answering.learn(readVerdict(found as WrittenVerdict)) })
    link.handle({ stop: answering.stop, retire: () => void inBackground('retiring', answering.retire) })
    link.notify('ready', answering.lines)
  } catch (error) {
    await reportRefusal(link, error)
  }
}
