import { expect, it, onTestFinished, vi } from 'vitest'
import { backgroundFailures, logBackgroundErrorsTo } from '../../src/base/background.ts'
import { onStop } from '../../src/cli/serving/stopping.ts'
import { waitFor } from '../support/wait.ts'

/** A server that stops at once; gives how it ends when an event of the process reaches the listener that it added. */
function serving(isWorker = false) {
  const exits: unknown[] = []
  const stops: unknown[] = []
  vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => void exits.push(code)) as never)
  const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'beforeExit']
  const before = new Map(events.map((event) => [event, process.rawListeners(event as never)]))
  onStop(isWorker, async (error) => void stops.push(error))
  onTestFinished(() => {
    for (const event of events)
      for (const listener of process.rawListeners(event as never))
        if (!before.get(event)?.includes(listener)) process.off(event, listener as () => void)
    vi.restoreAllMocks()
    logBackgroundErrorsTo(() => {})
  })
  function happens(event: string, ...values: unknown[]): void {
    const added = process.rawListeners(event as never).filter((one) => !before.get(event)?.includes(one))
    for (const listener of added) Reflect.apply(listener, process, values)
  }
  return { exits, stops, happens }
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('a server that %s stops ends with 0', async (signal) => {
  const { exits, stops, happens } = serving()
  happens(signal, signal)
  await waitFor(() => expect(exits[0]).toBe(0))
  expect(stops).toEqual([undefined])
})

it('a repeated signal within a second counts once, and a later one ends a server at once with 1', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5000)
  const { exits, stops, happens } = serving()
  happens('SIGINT', 'SIGINT')
  now.mockReturnValue(5900)
  happens('SIGINT', 'SIGINT')
  expect([exits, stops]).toEqual([[], [undefined]])
  now.mockReturnValue(6100)
  happens('SIGTERM', 'SIGTERM')
  expect(exits).toEqual([1])
})

it('a worker leaves SIGHUP to its parent', () => {
  const { exits, stops, happens } = serving(true)
  happens('SIGHUP', 'SIGHUP')
  expect([exits, stops]).toEqual([[], []])
})

it('an uncaught exception stops a server, which ends with 70', async () => {
  const { exits, stops, happens } = serving()
  const error = new Error('unforeseen')
  happens('uncaughtException', error)
  await waitFor(() => expect(exits[0]).toBe(70))
  expect(stops).toEqual([error])
})

it('a server whose event loop is empty ends with 70, or with the exit code of its error', () => {
  const { exits, happens } = serving()
  happens('beforeExit', 0)
  const { exitCode } = process
  process.exitCode = 4
  happens('beforeExit', 4)
  process.exitCode = exitCode
  expect(exits).toEqual([70, 4])
})

it('an unhandled rejection is logged and counted, and the server continues', () => {
  const { exits, stops, happens } = serving()
  const logged: unknown[] = []
  logBackgroundErrorsTo((error) => logged.push((error as Error).message))
  const count = () => backgroundFailures().get('unhandled rejection') ?? 0
  const before = count()
  happens('unhandledRejection', new Error('a hint'))
  expect([logged, count() - before, exits, stops]).toEqual([['unhandled rejection: a hint'], 1, [], []])
})
