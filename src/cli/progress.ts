import cliProgress from 'cli-progress'
import { visible } from '../base/visible.ts'
import type { IngestProgress } from '../write/ingest/ingest-counts.ts'

/** A progress line on a terminal; silence elsewhere. */
export interface ProgressLine {
  update(progress: IngestProgress): void
  stop(): void
}

export const silentProgress: ProgressLine = { update: () => {}, stop: () => {} }
const barStyle = { hideCursor: true, clearOnComplete: true } as const
const REDRAW_MS = 100
const SECOND_MS = 1000

export function openProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return silentProgress
  const bar = new cliProgress.SingleBar({
    ...{ stream, ...barStyle },
    format: (options, params, { filesDone, files, rows, rate, left }) =>
      `${cliProgress.Format.BarFormat(params.progress, options)} ${filesDone}/${files} files read, ` +
      `${rows} rows, ${rate} rows/s, ${left}`,
  })
  let drawnAt = Number.NEGATIVE_INFINITY
  let began: { readonly at: number; readonly work: number } | undefined
  let last: { readonly at: number; readonly progress: IngestProgress } | undefined
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    if (last === undefined || began === undefined) return
    const { files, filesDone, bytes, bytesDone, rows } = last.progress
    const [now, done] = [performance.now(), workOf(filesDone, bytesDone)]
    drawnAt = now
    const seconds = Math.max(now - began.at, 1) / SECOND_MS
    const isWriting = filesDone === files || now - last.at > 2 * SECOND_MS
    const left = isWriting
      ? `writing, ${Math.round((now - last.at) / SECOND_MS)} s`
      : timeLeft(seconds, done - began.work, workOf(files, bytes) - done)
    const payload = { files, filesDone, rows, rate: Math.round(rows / seconds), left }
    if (!bar.isActive) bar.start(bytes, bytesDone, payload)
    bar.update(bytesDone, payload)
  }

  return {
    update(progress) {
      const now = performance.now()
      last = { at: now, progress }
      began ??= { at: now, work: workOf(progress.filesDone, progress.bytesDone) }
      timer ??= setInterval(draw, SECOND_MS).unref()
      if (now - drawnAt >= REDRAW_MS || progress.filesDone === progress.files) draw()
    },
    stop() {
      clearInterval(timer)
      bar.stop()
    },
  }
}

/** Work per file: a small file takes about as long as this many bytes of a large one. */
const BYTES_OF_A_FILE = 65_536
const workOf = (files: number, bytes: number) => bytes + files * BYTES_OF_A_FILE

/** Time needed before an estimate is shown. */
const LEAST_SECONDS = 1

function timeLeft(seconds: number, done: number, left: number): string {
  return seconds < LEAST_SECONDS || done <= 0 ? 'starting' : `${Math.ceil((seconds * left) / done)} s left`
}

export interface StepLine {
  /** Ends the previous step and begins the next one. */
  begin(sentence: string): void
  /** Ends the current step with an error, which stays on the screen. */
  keep(error: string): void
  stop(): void
}

const ERASE_LINE = '\r\u001b[K'

/** Shows the current step with its seconds on one line of a terminal; elsewhere prints a step at most every ten seconds. */
export function openStepLine(stream: NodeJS.WriteStream): StepLine {
  const write = (sentence: string) => stream.write(`${visible(sentence)}\n`)
  const keep = (error: string) => write(`ledgerlake: ${error}`)
  if (!stream.isTTY) {
    return { begin: seldom(write), keep, stop: () => {} }
  }
  let current: { readonly sentence: string; readonly at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  function draw(): void {
    if (current === undefined) return
    const seconds = Math.round((performance.now() - current.at) / SECOND_MS)
    stream.write(`${ERASE_LINE}${visible(current.sentence)}${seconds === 0 ? '' : `, ${seconds} s`}`)
  }
  function stop(): void {
    clearInterval(timer)
    if (current !== undefined) stream.write(ERASE_LINE)
    current = undefined
  }
  return {
    begin(sentence) {
      stop()
      current = { sentence, at: performance.now() }
      draw()
      timer = setInterval(draw, SECOND_MS).unref()
    },
    keep(error) {
      stop()
      keep(error)
    },
    stop,
  }
}

const LINE_EVERY_MS = 10_000

/** Passes on at most one sentence in ten seconds, and none in the first ten. */
export function seldom(say: (sentence: string) => void): (sentence: string) => void {
  let nextAt = performance.now() + LINE_EVERY_MS
  return (sentence) => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + LINE_EVERY_MS
    say(sentence)
  }
}

/** Opens a progress bar for rows or bytes; each update has the total. */
export function openAmountProgress(stream: NodeJS.WriteStream, unit: 'rows' | 'bytes') {
  if (!stream.isTTY) return { update: (_done: number, _of: number) => {}, stop: () => {} }
  const format = `{bar} {value} of {total} ${unit}, {eta} s left`
  const bar = new cliProgress.SingleBar({ stream, ...barStyle, format })
  return {
    update(done: number, of: number) {
      if (!bar.isActive) bar.start(of, 0)
      bar.setTotal(of)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
