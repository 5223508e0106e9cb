import { gzipSync } from 'node:zlib'
import {
  dayEnd,
  frame,
  frameFile,
  len,
  message,
  num,
  operational,
  period,
} from '../../support/messages/oracle-messages.ts'
import type { AcceptedFileCase, FileFaultCase } from '../case.ts'

/** The file that the lake holds before, under whose name another one comes. */
export const stored = { name: 'iot_reward_share.1.gz', bytes: frameFile([operational(1), operational(2)]) }

const share = frame(operational(7))
/** Stored without packing, so that lengths are those of the format wherever it is written. */
const packed = (...parts: readonly Uint8Array[]) => gzipSync(Buffer.concat(parts), { level: 0 })
const small = packed(share, share)
const unknown = message(period(), len(12, num(1, 5)))
const many = (count: number, content: Uint8Array) => new Array<Uint8Array>(count).fill(content)
const nameOf = (number: number) => `iot_reward_share.${number}.gz`
const one = (number: number, bytes: Uint8Array) => ({ [nameOf(number)]: bytes })
const after = (bytes: Uint8Array) => Buffer.concat([small, bytes])
const wholeGzip = 'expected a whole gzip file'
const wholeMessages = 'expected whole messages'
const nothingAfter = 'expected the file to end there'

export const fileFaults: readonly FileFaultCase[] = [
  {
    name: 'a gzip stream that is cut, at whatever byte',
    wrong: 'The file is cut, at whatever byte.',
    files: Object.fromEntries(
      Array.from(small, (_, end) => [nameOf(1000 + end), small.subarray(0, end)] as const).slice(1),
    ),
    reason: `the gzip stream breaks after N bytes of content (unexpected end of file, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'an empty file',
    wrong: 'The file has no bytes.',
    files: one(10, Buffer.alloc(0)),
    reason: `the gzip stream breaks after 0 bytes of content (unexpected end of file, file of 0 bytes); ${wholeGzip}`,
  },
  {
    name: 'a file that is no gzip',
    wrong: 'The file is no gzip at all.',
    files: one(11, Buffer.concat([share, share])),
    reason: `the gzip stream breaks after 0 bytes of content (incorrect header check, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'a gzip checksum that is wrong',
    wrong: 'The content is not what its gzip checksum says.',
    files: one(12, flipped(small, small.length - 8)),
    reason: `the gzip stream breaks after N bytes of content (incorrect data check, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'bytes after the gzip stream',
    wrong: 'Bytes that are no gzip follow the gzip stream.',
    files: one(13, after(Buffer.from([0, 0, 1]))),
    reason: `3 bytes follow the end of the gzip stream at byte ${small.length}; ${nothingAfter}`,
  },
  {
    name: 'text after the gzip stream',
    wrong: 'Text follows the gzip stream.',
    files: one(14, after(Buffer.from('trailing'))),
    reason: `the gzip stream breaks after N bytes of content (incorrect header check, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'what looks like a second gzip stream',
    wrong: 'What follows the gzip stream begins like another one and is none.',
    files: one(15, after(Buffer.from('1f8b0800000000000003ffff', 'hex'))),
    reason: `the gzip stream breaks after N bytes of content (invalid block type, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'a second gzip stream that is cut',
    wrong: 'A second gzip stream follows and is cut.',
    files: one(16, after(small.subarray(0, -1))),
    reason: `the gzip stream breaks after N bytes of content (unexpected end of file, file of N bytes); ${wholeGzip}`,
  },
  {
    name: 'gzip within gzip',
    wrong: 'The file was packed twice.',
    files: one(99, packed(small)),
    reason: 'it is gzip within gzip; unpack it once',
  },
  {
    name: 'a frame longer than the file',
    wrong: 'A frame says that it is longer than what is left of the file.',
    files: one(17, packed(share, share.subarray(0, 9))),
    reason: `frame 1 at byte ${share.length} is cut: 9 bytes are left; expected a whole frame`,
  },
  {
    name: 'a length that is cut',
    wrong: 'The file ends within the length of a frame.',
    files: one(18, packed(share, Buffer.alloc(3))),
    reason: `frame 1 at byte ${share.length} is cut: 3 bytes are left; expected a whole frame`,
  },
  {
    name: 'a frame of more than 15,000,000 bytes',
    wrong: 'A frame says that it is longer than any message.',
    files: one(19, packed(share, Buffer.from('00e4e1c1', 'hex'), Buffer.alloc(100))),
    reason: `frame 1 at byte ${share.length} says it is 15000001 bytes long; expected at most 15000000`,
  },
  {
    name: 'a message that is no protobuf',
    wrong: 'A frame holds garbage.',
    files: one(20, frameFile([operational(1), Buffer.from('ffffffff', 'hex')])),
    reason: `message 1 is not a protobuf of this kind (premature EOF); ${wholeMessages}`,
  },
  {
    name: 'a message that is cut',
    wrong: 'A message ends within one of its fields.',
    files: one(21, frameFile([operational(1000).subarray(0, -1)])),
    reason: `message 0 is not a protobuf of this kind (premature EOF); ${wholeMessages}`,
  },
  {
    name: 'the name of a stored file with other bytes',
    wrong: 'The lake holds a file of that name with other bytes, and --replace is not given.',
    files: { [stored.name]: frameFile([operational(3)]) },
    reason:
      `the lake holds ${stored.name} with other bytes (SHA-256 DIGEST, now DIGEST); ` +
      'use the same bytes or another name, or --replace',
  },
  {
    name: 'more than one refused message in a hundred',
    wrong: 'More than 10 messages, and more than 1 % of the file, cannot be rows.',
    files: one(22, frameFile([...many(1088, operational(1)), ...many(11, unknown)])),
    reason:
      '11 of 1099 messages were refused, more than the limit of 10; the first is message 1088: ' +
      'reward variant in field 12 is not known to this build',
  },
]

export const acceptedFiles: readonly AcceptedFileCase[] = [
  {
    name: 'a sound gzip file without frames',
    wrong: 'The gzip stream is sound and has no frames.',
    file: nameOf(30),
    bytes: gzipSync(Buffer.alloc(0)),
    rows: 0,
  },
  {
    name: 'two whole gzip streams, one after the other',
    wrong: 'The file is two whole gzip streams, one after the other, as gzip allows.',
    file: nameOf(31),
    bytes: after(packed(frame(operational(8, dayEnd + 86_400)))),
    rows: 3,
  },
  {
    name: 'ten refused messages',
    wrong: 'At most 10 messages, or at most 1 % of the file, cannot be rows.',
    file: nameOf(32),
    bytes: frameFile([operational(9), ...many(10, unknown)]),
    rows: 1,
  },
]

function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}
