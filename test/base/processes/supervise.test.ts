import { expect, it } from 'vitest'
import { ServiceError } from '../../../src/base/errors.ts'
import { supervise } from '../../../src/base/processes/supervise.ts'
import type { RunningWorker, WorkerExit } from '../../../src/base/processes/worker.ts'

/** A worker that ends when it is told to, with the names of its requests. */
interface FakeWorker extends RunningWorker {
  readonly asked: string[]
  end(words?: string): void
}

/** Supervises fake workers; those whose number `fails` names do not listen. */
function supervised(
  count: number,
  fails: (number: number) => ServiceError | undefined = () => undefined,
  listens: (number: number) => Promise<void> = async () => {},
) {
  const workers: FakeWorker[] = []
  const said: string[] = []
  const waits: number[] = []
  const lost: unknown[] = []
  function start(): FakeWorker {
    const number = workers.length + 1
    const failure = fails(number)
    let end = (_ending: WorkerExit) => {}
    const ended = new Promise<WorkerExit>((resolve) => {
      end = resolve
    })
    const asked: string[] = []
    const ready = listens(number).then(() => (failure ? Promise.reject(failure) : [`line of ${number}`]))
    ready.catch(() => {})
    const worker: FakeWorker = {
      ...{ number, pid: 1000 + number, ready, ended, asked },
      channel: {
        async request(name) {
          asked.push(name)
          if (name === 'stop' || name === 'retire') end({ code: 0, words: 'exit code 0' })
          return undefined
        },
        close() {},
      },
      end: (words = 'SIGKILL') => end({ code: 1, words }),
      kill: () => end({ code: 1, words: 'SIGKILL' }),
    }
    workers.push(worker)
    return worker
  }
  const running = supervise({
    ...{ count, start, handlers: () => ({}), onEnd: () => {} },
    say: (sentence) => said.push(sentence),
    onNoneLeft: (reason) => lost.push(reason),
    wait: async (ms) => waits.push(ms),
  })
  return { running, workers, said, waits, lost }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const numbers = (workers: readonly RunningWorker[]) => workers.map(({ number }) => number)

it('the supervisor returns the printed lines after all workers listen', async () => {
  const { running, workers } = supervised(3)
  const { lines, running: left } = await running
  expect([lines, numbers(left()), workers.length]).toEqual([['line of 1'], [1, 2, 3], 3])
})

it('a worker that cannot listen fails the start with its error, and all workers are killed', async () => {
  const reason = new ServiceError('address_in_use', 'Port 80 is taken.')
  const { running, workers } = supervised(3, (number) => (number === 2 ? reason : undefined))
  await expect(running).rejects.toBe(reason)
  expect((await Promise.all(workers.map(({ ended }) => ended))).map(({ words }) => words)).toEqual(
    Array(3).fill('SIGKILL'),
  )
})

it('a worker that ends is reported and replaced, with a delay that doubles each time', async () => {
  const { running, workers, said, waits } = supervised(2)
  const { running: left } = await running
  for (const number of [1, 3, 4, 5]) {
    workers[number - 1]?.end()
    await settled()
  }
  expect([numbers(left()), waits]).toEqual([
    [2, 6],
    [100, 200, 400],
  ])
  expect(said).toHaveLength(4)
  expect(said[0]).toBe(
    'Worker 1 (process 1001) ended by SIGKILL; its requests were cut off. Another one is started.',
  )
})

it('the supervisor gives up on a worker after eight failed starts, keeps the others, and tries again on restart', async () => {
  const reason = new ServiceError('lake_damaged', 'The log is damaged.')
  let isDamaged = true
  const { running, workers, said, lost } = supervised(2, (number) =>
    number > 2 && isDamaged ? reason : undefined,
  )
  const { running: left, restart } = await running
  workers[0]?.end()
  while (said.length < 2) await settled()
  expect([workers.length, numbers(left()), lost]).toEqual([10, [2], []])
  expect(said[1]).toBe(
    'A worker could not be started 8 times: The log is damaged. 1 of 2 are left; SIGHUP tries again.',
  )
  isDamaged = false
  await restart()
  await settled()
  expect([numbers(left()), said.at(-1)]).toEqual([[11, 12], 'All 2 workers were replaced.'])
})

it('the supervisor reports the error when no worker is left and none can be started', async () => {
  const reason = new ServiceError('lake_damaged', 'The log is damaged.')
  const { running, workers, lost } = supervised(1, (number) => (number > 1 ? reason : undefined))
  await running
  workers[0]?.end()
  while (lost.length === 0) await settled()
  expect(lost).toEqual([reason])
})

it('a restart retires a worker once its successor listens, and keeps the old workers if it does not', async () => {
  const reason = new ServiceError('malformed_request', 'The keys cannot be read.')
  const { running, workers, said } = supervised(2, (number) => (number === 4 ? reason : undefined))
  const { running: left, restart } = await running
  await Promise.all([restart(), restart()])
  await settled()
  expect([numbers(left()), workers.map(({ asked }) => asked)]).toEqual([
    [2, 3],
    [['retire'], [], [], []],
  ])
  expect(said).toEqual([
    'Workers are being replaced already.',
    'A new worker does not start: The keys cannot be read. The others go on.',
  ])
})

it('a restart during a replacement leaves the configured number of workers', async () => {
  let listen = () => {}
  const late = new Promise<void>((resolve) => {
    listen = resolve
  })
  const { running, workers } = supervised(2, undefined, async (number) => {
    if (number === 3) await late
  })
  const { running: left, restart } = await running
  workers[0]?.end()
  while (workers.length < 3) await settled()
  await restart()
  listen()
  await settled()
  await settled()
  expect(numbers(left())).toEqual([4, 5])
  expect(workers[2]?.asked).toEqual(['retire'])
})

it('a stop lets all workers finish, replaces none, and returns their exit codes', async () => {
  const { running, workers, said } = supervised(2)
  const { stop } = await running
  expect((await stop()).map(({ code }) => code)).toEqual([0, 0])
  await settled()
  expect([workers.map(({ asked }) => asked), said]).toEqual([[['stop'], ['stop']], []])
})
