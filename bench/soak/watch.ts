import { readdirSync, readFileSync } from 'node:fs'
import { workersOf } from '../../test/support/servers/workers.ts'

/** One look at all processes of a server. */
export interface Sample {
  readonly seconds: number
  /** Sums over all processes. */
  readonly rssMb: number
  readonly fds: number
  readonly threads: number
  readonly cpuSeconds: number
  /** Resident megabytes of each process, the parent first. */
  readonly each: readonly number[]
  readonly healthzMs: number
  /** What /metrics says of Node, in megabytes and milliseconds. */
  readonly heapMb: number
  readonly externalMb: number
  readonly lagP99Ms: number
  readonly lagMaxMs: number
  readonly requests: number
  readonly errors: number
  readonly ingests: number
  /** Of the server that was started at the end, to be compared with. */
  readonly isFresh?: boolean
}

const TICKS_A_SECOND = 100

function ofProcess(pid: number): Pick<Sample, 'rssMb' | 'fds' | 'threads' | 'cpuSeconds'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return {
    rssMb: numberOf('VmRSS') / 1024,
    fds: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf('Threads'),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
  }
}

/** Looks at a server and its workers; needs /proc. */
export async function lookAt(
  pid: number,
  address: string,
): Promise<Omit<Sample, 'seconds' | 'requests' | 'errors' | 'ingests' | 'isFresh'>> {
  const processes = [pid, ...workersOf(pid)].map(ofProcess)
  const sum = (name: keyof (typeof processes)[number]) =>
    Number(processes.reduce((whole, process) => whole + process[name], 0).toFixed(2))
  const asked = performance.now()
  await (await fetch(`${address}/healthz`)).text()
  const healthzMs = performance.now() - asked
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const metric = (name: string, scale: number) =>
    Number((Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) * scale).toFixed(2))
  return {
    ...{ rssMb: sum('rssMb'), fds: sum('fds'), threads: sum('threads'), cpuSeconds: sum('cpuSeconds') },
    each: processes.map(({ rssMb }) => Math.round(rssMb)),
    healthzMs: Number(healthzMs.toFixed(2)),
    heapMb: metric('nodejs_heap_size_used_bytes', 2 ** -20),
    externalMb: metric('nodejs_external_memory_bytes', 2 ** -20),
    lagP99Ms: metric('nodejs_eventloop_lag_p99_seconds', 1000),
    lagMaxMs: metric('nodejs_eventloop_lag_max_seconds', 1000),
  }
}
