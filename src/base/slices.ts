/** Maximum milliseconds that computations hold the event loop in one turn. */
const SLICE_MS = 10

/** A computation that yields after each step of at most some milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>

const paused: (() => void)[] = []
/** End of the current slice, by `performance.now()`; 0 outside a slice. */
let sliceEnd = 0
let isScheduled = false

/** True if a computation must yield to the event loop. */
export function isSliceOver(): boolean {
  const now = performance.now()
  if (sliceEnd === 0) beginSlice(now)
  return now >= sliceEnd
}

/** Waits for the next slice; paused computations run in order. Errors: the reason of the signal. */
export async function nextSlice(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    paused.push(resolve)
    schedule()
  })
  signal?.throwIfAborted()
}

/** Runs a computation in slices until the signal aborts. Errors: the reason of the signal. */
export async function runInSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    if (isSliceOver()) await nextSlice(signal)
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs a short computation at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const MAPPED_AT_ONCE = 1024

/** Maps a list in steps. */
export function* mapSteps<T, U>(items: readonly T[], map: (item: T) => U): Steps<readonly U[]> {
  const mapped: U[] = []
  for (const item of items) {
    mapped.push(map(item))
    if (mapped.length % MAPPED_AT_ONCE === 0) yield
  }
  return mapped
}

const SORTED_AT_ONCE = 2048

/** Sorts a copy of a list in steps; equal items keep their order. */
export function* sortSteps<T extends {}>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let first = 0; first < items.length; first += SORTED_AT_ONCE) {
    runs.push(items.slice(first, first + SORTED_AT_ONCE).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergeSteps(runs[index] ?? [], runs[index + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeSteps<T extends {}>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  const merged: T[] = []
  let [inA, inB] = [0, 0]
  while (inA < a.length || inB < b.length) {
    const [ofA, ofB] = [a[inA], b[inB]]
    if (ofA !== undefined && (ofB === undefined || compare(ofA, ofB) <= 0)) {
      merged.push(ofA)
      inA += 1
    } else if (ofB !== undefined) {
      merged.push(ofB)
      inB += 1
    }
    if (merged.length % SORTED_AT_ONCE === 0) yield
  }
  return merged
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(endSlice)
}

function beginSlice(now: number): void {
  sliceEnd = now + SLICE_MS
  schedule()
}

function endSlice(): void {
  sliceEnd = 0
  isScheduled = false
  const next = paused.shift()
  if (next === undefined) return
  beginSlice(performance.now())
  next()
}
