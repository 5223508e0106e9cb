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
    etaBuffer: 200,
    format: (options, params, { filesDone, files, rows, rate }) =>
      `${Format.BarFormat(params.progress, options)} ${filesDone}/${files} files, ` +
      `${rows} rows, ${rate} rows/s, ${params.eta} s left`,
  })
  let drawnAt = Number.NEGATIVE_INFINITY
  let begun = false
  return {
    update({ files, filesDone, bytes, bytesDone, rows }) {
      const now = performance.now()
      if (now - drawnAt < REDRAW_MS && filesDone < files) return
      drawnAt = now
      const payload = { files, filesDone, rows, rate: Math.round((rows / (now - started)) * 1000) }
      if (!begun) bar.start(bytes, bytesDone, payload)
      begun = true
      bar.update(bytesDone, payload)
    },
    stop: () => bar.stop(),
  }
}
