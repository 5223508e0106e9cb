import { Worker } from 'node:worker_threads'

interface Job {
  readonly number: number
  readonly path: string
  /** Expected bytes; at most one more is read. */
  readonly size: number
  /** 0: no limit. */
  readonly bytesPerSecond: number
}

type Done = { readonly number: number; readonly sha256?: string; readonly error?: object }

/** Code of the thread. It is passed as text, so it can use nothing outside of it. */
function hashFiles(): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads')
  const { open } = process.getBuiltinModule('node:fs/promises')
  const { createHash } = process.getBuiltinModule('node:crypto')
  const { setTimeout } = process.getBuiltinModule('node:timers/promises')
  const PIECE = 1 << 18

  async function hash({ path, size, bytesPerSecond }: Job): Promise<string> {
    const handle = await open(path)
    try {
      const [sum, piece, began] = [createHash('sha256'), Buffer.allocUnsafe(PIECE), performance.now()]
      for (let done = 0; done <= size; ) {
        const { bytesRead } = await handle.read(piece, 0, Math.min(PIECE, size + 1 - done), done)
        if (bytesRead === 0) break
        sum.update(piece.subarray(0, bytesRead))
        done += bytesRead
        if (bytesPerSecond === 0) continue
        const early = (done / bytesPerSecond) * 1000 - (performance.now() - began)
        if (early > 1) await setTimeout(early)
      }
      return sum.digest('hex')
    } finally {
      await handle.close()
    }
  }

  parentPort?.on('message', (job: Job) => {
    hash(job).then(
      (sha256) => parentPort.postMessage({ number: job.number, sha256 }),
      // Structured cloning of an Error drops its code.
      ({ message, code }) => parentPort.postMessage({ number: job.number, error: { message, code } }),
    )
  })
}

interface Waiting {
  readonly resolve: (sha256: string) => void
  readonly reject: (error: Error) => void
}

let thread: Worker | undefined
const waiting = new Map<number, Waiting>()
let lastNumber = 0

/** Returns the thread of the process, and starts it on first use. An idle thread does not keep the process alive. */
function openThread(): Worker {
  if (thread !== undefined) return thread
  // Some compilers name functions with a helper `__name`.
  const worker = new Worker(`const __name = (named) => named; (${hashFiles})()`, { eval: true, execArgv: [] })
  thread = worker
  worker.on('message', ({ number, sha256, error }: Done) => {
    const job = waiting.get(number)
    waiting.delete(number)
    if (waiting.size === 0) worker.unref()
    if (sha256 === undefined) job?.reject(Object.assign(new Error('the thread gave no digest'), error))
    else job?.resolve(sha256)
  })
  const end = (error: Error) => {
    // After an error a new thread may have started.
    if (thread !== worker) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread that computes digests has ended')))
  return worker
}

/** Computes the SHA-256 of a file in hex, in a separate thread. Errors: those of the file system. */
export function hashInThread(path: string, size: number, bytesPerSecond = 0): Promise<string> {
  const worker = openThread()
  worker.ref()
  lastNumber += 1
  const job: Job = { number: lastNumber, path, size, bytesPerSecond }
  return new Promise((resolve, reject) => {
    waiting.set(job.number, { resolve, reject })
    worker.postMessage(job)
  })
}
