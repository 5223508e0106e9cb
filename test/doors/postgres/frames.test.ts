import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Frame, Frames } from '../../../src/doors/postgres/wire/frames.ts'
import { send } from '../../support/postgres/raw-client.ts'

it('messages arrive whole, however their bytes are cut into pieces', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 3000 }).map((one) => one.replaceAll('\0', ''))
  const cuts = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 30 })
  let most = 0
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 6 }),
      cuts,
      fc.boolean(),
      (texts, lengths, apart) => {
        const frames = new Frames()
        frames.begin()
        frames.trust()
        const messages = texts.map((one) => send.query(one))
        const received: Frame[] = []
        // A piece with the end of a message has the start of the next one, or not.
        for (const bytes of apart ? messages : [Buffer.concat(messages)])
          for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
            const next = at + (lengths[turn % lengths.length] ?? 1)
            frames.push(Buffer.from(bytes.subarray(at, next)))
            at = next
            for (let frame = frames.next(); frame !== undefined; frame = frames.next()) received.push(frame)
          }
        // Read after the last one: a later message must not change an earlier body.
        expect(received.map(({ body }) => body.toString('utf8', 0, body.length - 1))).toEqual(texts)
        most = Math.max(most, received.length)
        expect(frames.size).toBe(0)
      },
    ),
    { seed: 3, numRuns: 200 },
  )
  expect(most).toBe(6)
})

it('a long message in pieces of one byte is not copied for each of them', () => {
  const bytes = send.query('x'.repeat(60_000))
  const frames = new Frames()
  frames.begin()
  frames.trust()
  const joined = vi.spyOn(Buffer, 'concat')
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow')
  onTestFinished(() => void vi.restoreAllMocks())
  for (const byte of bytes) frames.push(Buffer.from([byte]))
  expect(frames.next()?.body.length).toBe(60_001)
  expect(joined.mock.calls.length + made.mock.calls.length).toBeLessThan(20)
})
