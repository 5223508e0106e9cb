import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { FileFault } from '../../../src/write/wire/faults.ts'
import { readFrames } from '../../../src/write/wire/frames.ts'
import { frame, frameFile } from '../../support/messages/oracle-messages.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Bytes of content that come out of gzip at a time. */
const CHUNK = 256 * 1024
const LONGEST = 15_000_000

let path = ''
beforeAll(async () => {
  const folder = await temporaryFolder()
  path = join(folder, 'iot_reward_share.1.gz')
})

interface Frames {
  readonly messages: readonly Buffer[]
  readonly ordinals: readonly number[]
  /** Lengths of the chunks that the messages were seen in. */
  readonly chunks: readonly number[]
  readonly sha256: string
  readonly frames: number
}

async function read(file: Uint8Array): Promise<Frames> {
  await writeFile(path, file)
  const messages: Buffer[] = []
  const ordinals: number[] = []
  const chunks: number[] = []
  const result = await readFrames(path, (buffer, start, end, ordinal) => {
    messages.push(Buffer.from(buffer.subarray(start, end)))
    ordinals.push(ordinal)
    chunks.push(buffer.length)
  })
  return { messages, ordinals, chunks, ...result }
}

/** The sentence with which a file is refused; throws when it is not. */
async function refusal(file: Uint8Array): Promise<string> {
  const outcome = await read(file).catch((error: unknown) => error)
  if (outcome instanceof FileFault) return outcome.message
  throw outcome instanceof Error ? outcome : new Error('the file was not refused')
}

const gzip = (...parts: readonly Uint8Array[]) => gzipSync(Buffer.concat(parts))
const few = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')]

describe('a file of frames', () => {
  it('yields its messages in order, including empty ones, and the digest of the file', async () => {
    const file = frameFile(few)
    expect(await read(file)).toMatchObject({
      messages: few,
      ordinals: [0, 1, 2],
      frames: 3,
      sha256: createHash('sha256').update(file).digest('hex'),
    })
  })

  it('without frames is valid', async () => {
    const file = gzipSync(Buffer.alloc(0))
    expect(await read(file)).toMatchObject({
      messages: [],
      frames: 0,
      sha256: createHash('sha256').update(file).digest('hex'),
    })
  })

  it('may be cut into gzip members anywhere, even within a length', async () => {
    const content = Buffer.concat(few.map(frame))
    for (let at = 0; at <= content.length; at += 1) {
      const file = Buffer.concat([gzip(content.subarray(0, at)), gzip(content.subarray(at))])
      expect(await read(file), `cut at ${at}`).toMatchObject({ messages: few, frames: 3 })
    }
  })

  it('may be one gzip member a byte', async () => {
    const content = Buffer.concat(few.map(frame))
    const members = Array.from(content, (byte) => gzip(Buffer.of(byte)))
    expect((await read(Buffer.concat(members))).messages).toEqual(few)
  })

  it('is read the same wherever a frame lies across two chunks', async () => {
    const messages = [Buffer.from('straddling'), Buffer.from('after')]
    const header = 4
    // Before the frame, at each of its bytes, and right after it.
    for (let before = 0; before <= header + 10; before += 1) {
      const filler = Buffer.alloc(CHUNK - before - header, 7)
      const { messages: found, chunks, frames } = await read(frameFile([filler, ...messages]))
      expect(frames).toBe(3)
      expect(found.slice(1), `${before} bytes before the boundary`).toEqual(messages)
      expect(found[0]?.equals(filler)).toBe(true)
      // The filler is seen in a whole first chunk, so the boundary is where it is meant to be.
      expect(chunks[0]).toBe(CHUNK)
    }
  })

  it('is read the same when its bytes on disk lie across reads', async () => {
    // Random bytes stay as long in gzip, so the file is longer than one read, and members end anywhere in it.
    const messages = Array.from({ length: 40 }, (_, index) => randomBytes(9_973 + index))
    const members = messages.map((message) => gzip(frame(message)))
    const file = Buffer.concat(members)
    expect(file.length).toBeGreaterThan(CHUNK)
    const found = await read(file)
    expect(found.frames).toBe(40)
    expect(Buffer.concat(found.messages).equals(Buffer.concat(messages))).toBe(true)
  })

  it('may have a gzip member that ends where a read of the file ends', async () => {
    const file = Buffer.concat([memberOf(CHUNK), frameFile(few)])
    expect((await read(file)).messages.slice(1)).toEqual(few)
  })

  it('may have a frame of many chunks, and a short one right after it', async () => {
    const long = randomBytes(1_500_001)
    const { messages, frames } = await read(frameFile([Buffer.from('a'), long, Buffer.from('b')]))
    expect(frames).toBe(3)
    expect(messages[1]?.equals(long)).toBe(true)
    expect([messages[0]?.toString(), messages[2]?.toString()]).toEqual(['a', 'b'])
  })

  it('may have a frame of 15,000,000 bytes', async () => {
    const { messages, frames } = await read(frameFile([Buffer.alloc(LONGEST, 1), Buffer.from('b')]))
    expect(frames).toBe(2)
    expect(messages.map((message) => message.length)).toEqual([LONGEST, 1])
  })
})

/** A gzip member of one frame that is so many bytes long. */
function memberOf(length: number): Buffer {
  for (let content = length; content > length - 100; content -= 1) {
    const member = gzipSync(frame(Buffer.alloc(content, 1)), { level: 0 })
    if (member.length === length) return member
  }
  throw new Error(`no gzip member is ${length} bytes long`)
}

describe('a file is refused', () => {
  it('when a frame declares more than 15,000,000 bytes', async () => {
    const long = Buffer.from('00e4e1c1', 'hex') // 15,000,001
    expect(await refusal(gzip(frame(few[0] as Buffer), long, Buffer.alloc(100)))).toBe(
      'frame 1 at byte 7 says it is 15000001 bytes long; expected at most 15000000',
    )
    expect(await refusal(gzip(Buffer.from('ffffffff', 'hex')))).toBe(
      'frame 0 at byte 0 says it is 4294967295 bytes long; expected at most 15000000',
    )
  })

  it('with the position of the frame in the file, also beyond the first chunk', async () => {
    const filler = frame(Buffer.alloc(CHUNK * 2))
    expect(await refusal(gzip(filler, Buffer.from('7fffffff', 'hex')))).toBe(
      `frame 1 at byte ${CHUNK * 2 + 4} says it is 2147483647 bytes long; expected at most 15000000`,
    )
  })

  it('when its last frame is cut, at whatever byte', async () => {
    const whole = Buffer.concat([frame(Buffer.from('one')), frame(Buffer.from('three'))])
    for (let end = 8; end < whole.length; end += 1) {
      expect(await refusal(gzip(whole.subarray(0, end)))).toBe(
        `frame 1 at byte 7 is cut: ${end - 7} bytes are left; expected a whole frame`,
      )
    }
  })

  it('when its gzip stream is cut, at whatever byte, down to an empty file', async () => {
    const whole = frameFile(few)
    for (let end = 0; end < whole.length; end += 1) {
      expect(await refusal(whole.subarray(0, end)), `cut at ${end}`).toMatch(
        new RegExp(
          `^the gzip stream breaks after \\d+ bytes of content \\(unexpected end of file, file of ${end} bytes\\); ` +
            'expected a whole gzip file$',
        ),
      )
    }
  })

  it('when a later gzip member is cut, at whatever byte', async () => {
    const first = frameFile(few)
    const whole = Buffer.concat([first, frameFile(few)])
    for (let end = first.length + 1; end < whole.length; end += 1) {
      expect(await refusal(whole.subarray(0, end)), `cut at ${end}`).toMatch(
        new RegExp(
          `^the gzip stream breaks after \\d+ bytes of content \\(unexpected end of file, file of ${end} bytes\\); ` +
            'expected a whole gzip file$',
        ),
      )
    }
  })

  it('when a bit of its gzip checksum is wrong', async () => {
    const file = frameFile(few)
    const at = file.length - 8
    file.writeUInt8(file.readUInt8(at) ^ 1, at)
    expect(await refusal(file)).toMatch(
      /\(incorrect data check, file of 35 bytes\); expected a whole gzip file$/,
    )
  })

  it.each([
    ['a zero byte and more', '0041424344'],
    ['a byte', '41'],
    ['text', '68656c6c6f2c20776f726c64'],
    ['the beginning of a gzip header', '1f8b'],
    ['a gzip header', '1f8b0800000000000003'],
  ])('when %s follows its gzip stream', async (_, hex) => {
    const trailing = Buffer.from(hex, 'hex')
    const sentence =
      /^(\d+ bytes follow the end of the|the) gzip stream .*; expected (the file to end there|a whole gzip file)$/
    expect(await refusal(Buffer.concat([frameFile(few), trailing]))).toMatch(sentence)
    // Also where the stream ends exactly with a read of the file.
    expect(await refusal(Buffer.concat([memberOf(CHUNK), trailing]))).toMatch(sentence)
  })

  it('with the position of the bytes after its gzip stream', async () => {
    const file = frameFile(few)
    expect(await refusal(Buffer.concat([file, Buffer.alloc(2), Buffer.from([1])]))).toBe(
      `3 bytes follow the end of the gzip stream at byte ${file.length}; expected the file to end there`,
    )
  })

  it('when a later gzip member is damaged, whatever its header and those before it', async () => {
    const named = Buffer.from(gzip(frame(few[0] as Buffer)))
    // A header with extra bytes, a name, a comment and a checksum of its own.
    const header = Buffer.concat([
      Buffer.from('1f8b081e000000000003030065787461006200', 'hex'),
      Buffer.from('0000', 'hex'),
    ])
    header.writeUInt16LE(crc32(header.subarray(0, -2)) & 0xffff, header.length - 2)
    const dressed = Buffer.concat([header, named.subarray(10)])
    const before = Buffer.concat([dressed, named, dressed])
    expect((await read(before)).frames).toBe(3)
    const damaged = Buffer.from(dressed)
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 8) ^ 1, damaged.length - 8)
    expect(await refusal(Buffer.concat([before, damaged, named]))).toMatch(
      /\(incorrect data check, file of \d+ bytes\); expected a whole gzip file$/,
    )
  })

  it('when it is not gzip', async () => {
    expect(await refusal(Buffer.from('hello, this is no gzip'))).toBe(
      'the gzip stream breaks after 0 bytes of content (incorrect header check, file of 22 bytes); ' +
        'expected a whole gzip file',
    )
    expect(await refusal(Buffer.concat(few.map(frame)))).toMatch(/expected a whole gzip file$/)
  })
})

describe('a file of frames that a store has padded or packed again', () => {
  it.each([1, 512, CHUNK])('yields its messages with %i zero bytes after its gzip stream', async (zeros) => {
    expect((await read(Buffer.concat([frameFile(few), Buffer.alloc(zeros)]))).messages).toEqual(few)
  })

  it('is refused as gzip within gzip', async () => {
    expect(await refusal(gzip(frameFile(few)))).toBe('it is gzip within gzip; unpack it once')
  })
})

describe('reading a file of frames', () => {
  it('stops at an error of the visitor, and rethrows it', async () => {
    await writeFile(path, frameFile(few))
    const seen: number[] = []
    const stopped = readFrames(path, (_buffer, _start, _end, ordinal) => {
      seen.push(ordinal)
      if (ordinal === 1) throw new RangeError('enough')
    })
    await expect(stopped).rejects.toThrow(new RangeError('enough'))
    expect(seen).toEqual([0, 1])
  })

  it('of a missing file fails with its path', async () => {
    await expect(readFrames(`${path}.none`, () => {})).rejects.toThrow('ENOENT')
  })
})
