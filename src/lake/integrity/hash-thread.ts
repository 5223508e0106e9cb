import { Worker } from 'node:worker_threads'

/** What is asked of the thread. */
interface Job {
  readonly number: number
  readonly path: string
  /** So many bytes are expected; of more, one is read. */
  readonly size: number
  /** 0: as fast as it goes. */
  readonly bytesPerSecond: number
}

type Done = { readonly number: number; readonly sha256?: string; readonly error?: object }

/** The code of the thread: it is sent as text, so nothing outside of it can be used. */
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
      // Of an error as it is, only the message would arrive.
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
let last = 0

/** One for the process, begun when it is needed first. It keeps no process alive that has nothing else to wait for. */
function threadOf(): Worker {
  if (thread !== undefined) return thread
  // Some compilers name functions by a helper of theirs.
  const own = new Worker(`const __name = (named) => named; (${hashFiles})()`, { eval: true, execArgv: [] })
  thread = own
  own.on('message', ({ number, sha256, error }: Done) => {
    const asked = waiting.get(number)
    waiting.delete(number)
    if (waiting.size === 0) own.unref()
    if (sha256 === undefined) asked?.reject(Object.assign(new Error('the thread gave no digest'), error))
    else asked?.resolve(sha256)
  })
  const end = (error: Error) => {
    // Another one may have been begun since an error of this one.
    if (thread !== own) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  own.on('error', end)
  own.on('exit', () => end(new Error('the thread that computes digests has ended')))
  return own
}

/** SHA-256 of a file in hex, computed in a thread of its own. Errors: those of the file system. */
export function hashInThread(path: string, size: number, bytesPerSecond = 0): Promise<string> {
  const own = threadOf()
  own.ref()
  last += 1
  const job: Job = { number: last, path, size, bytesPerSecond }
  return new Promise((resolve, reject) => {
    waiting.set(job.number, { resolve, reject })
    own.postMessage(job)
  })
}
