import { Format, SingleBar } from 'cli-progress'
import type { IngestProgress } from '../ingest/counts.ts'

/** A progress line on a terminal; silence elsewhere. */
export interface ProgressLine {
  update(progress: IngestProgress): void
  stop(): void
}

const silent: ProgressLine = { update: () => {}, stop: () => {} }
const REDRAW_MS = 100

export function openProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return silent
  const started = performance.now()
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    format: (options, params, { filesDone, files, rows, rate, left }) =>
      `${Format.BarFormat(params.progress, options)} ${filesDone}/${files} files read, ` +
      `${rows} rows, ${rate} rows/s, ${left}`,
  })
  let drawnAt = Number.NEGATIVE_INFINITY
  let begun = false
  return {
    update({ files, filesDone, bytes, bytesDone, rows }) {
      const now = performance.now()
      if (now - drawnAt < REDRAW_MS && filesDone < files) return
      drawnAt = now
      const seconds = (now - started) / 1000
      const rate = Math.round(rows / seconds)
      const payload = { files, filesDone, rows, rate, left: timeLeft(seconds, bytesDone, bytes) }
      if (!begun) bar.start(bytes, bytesDone, payload)
      begun = true
      bar.update(bytesDone, payload)
    },
    stop: () => bar.stop(),
  }
}

/** What is decoded is not committed yet, so the end of the files is not the end of the work. */
function timeLeft(seconds: number, bytesDone: number, bytes: number): string {
  if (bytesDone === 0) return 'starting'
  if (bytesDone === bytes) return 'writing'
  return `${Math.ceil((seconds * (bytes - bytesDone)) / bytesDone)} s left`
}

/** The same for rows of a number that is known. */
export function openRowsProgress(stream: NodeJS.WriteStream, total: number) {
  if (!stream.isTTY) return { update: (_rows: number) => {}, stop: () => {} }
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    format: '{bar} {value} of {total} rows, {eta} s left',
  })
  bar.start(total, 0)
  return { update: (rows: number) => bar.update(rows), stop: () => bar.stop() }
}

/** The same for bytes, whose number comes with them. */
export function openBytesProgress(stream: NodeJS.WriteStream) {
  if (!stream.isTTY) return { update: (_bytes: number, _of: number) => {}, stop: () => {} }
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    format: '{bar} {value} of {total} bytes, {eta} s left',
  })
  return {
    update(bytes: number, of: number) {
      if (!bar.isActive) bar.start(of, 0)
      bar.setTotal(of)
      bar.update(bytes)
    },
    stop: () => bar.stop(),
  }
}
