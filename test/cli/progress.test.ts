import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openProgressLine, openStepLine } from '../../src/cli/progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** A terminal of 200 columns that keeps what is written. */
function terminal(isTTY = true) {
  const written: string[] = []
  const stream = {
    isTTY,
    columns: 200,
    write: (text: string) => written.push(text),
    on() {},
    removeListener() {},
  }
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => written.join('') }
}

interface File {
  readonly bytes: number
  readonly ms: number
}

/** Reads files one after the other, as an ingest does, and gives each estimate with the time that was left, in seconds. */
function estimates(files: readonly File[]): readonly (readonly [said: number, left: number])[] {
  const { stream, text } = terminal()
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const end = files.reduce((sum, file) => sum + file.ms, 0)
  const line = openProgressLine(stream)
  const progress = { files: files.length, filesDone: 0, bytes, bytesDone: 0, rows: 0 }
  vi.advanceTimersByTime(2000)
  line.update({ ...progress })
  const said: [number, number][] = []
  let passed = 0
  for (const file of files) {
    vi.advanceTimersByTime(file.ms)
    passed += file.ms
    progress.filesDone += 1
    progress.bytesDone += file.bytes
    line.update({ ...progress })
    const newest = [...text().matchAll(/(\d+) s left/g)].at(-1)
    if (newest !== undefined) said.push([Number(newest[1]), (end - passed) / 1000])
  }
  line.stop()
  return said
}

describe('the progress of an ingest', () => {
  it('does not overestimate after many small files, nor by the time that the program took to start', () => {
    const small = Array.from({ length: 60 }, () => ({ bytes: 300, ms: 30 }))
    const large = Array.from({ length: 40 }, () => ({ bytes: 250_000, ms: 200 }))
    const said = estimates([...small, ...large])
    expect(said.length).toBeGreaterThan(40)
    expect(said.filter(([seconds, left]) => seconds > 3 * left + 2)).toEqual([])
    expect(said.filter(([seconds, left]) => seconds < left / 3 - 2)).toEqual([])
  })

  it('keeps moving while rows are sorted and written', () => {
    const { stream, text } = terminal()
    const line = openProgressLine(stream)
    line.update({ files: 1, filesDone: 0, bytes: 10, bytesDone: 0, rows: 0 })
    line.update({ files: 1, filesDone: 1, bytes: 10, bytesDone: 10, rows: 7 })
    vi.advanceTimersByTime(5000)
    for (const seconds of [1, 4, 5]) expect(text()).toContain(`writing, ${seconds} s`)
    line.stop()
    const before = text()
    vi.advanceTimersByTime(5000)
    expect(text()).toBe(before)
  })
})

describe('the steps after an ingest', () => {
  it('count the seconds on one line of a terminal, which is empty after the last', () => {
    const { stream, text } = terminal()
    const steps = openStepLine(stream)
    steps.begin('sorting a')
    vi.advanceTimersByTime(2000)
    steps.begin('sorting b')
    steps.stop()
    const shown = ['sorting a', 'sorting a, 1 s', 'sorting a, 2 s', '', 'sorting b', '']
    expect(text()).toBe(shown.map((line) => `\r\u001b[K${line}`).join(''))
  })

  it('are plain lines elsewhere, at most one in ten seconds, none before', () => {
    const { stream, text } = terminal(false)
    const steps = openStepLine(stream)
    for (const step of ['a', 'b', 'c', 'd']) {
      steps.begin(`sorting ${step}`)
      vi.advanceTimersByTime(6000)
    }
    steps.stop()
    expect(text()).toBe('sorting c\n')
  })
})
