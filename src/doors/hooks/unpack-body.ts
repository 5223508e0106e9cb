import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'

const codings = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const

/** Unpacks compressed request bodies. Fastify limits their bytes before and after. */
export function unpackBodies(server: FastifyInstance): void {
  server.addHook('preParsing', ({ headers, is404 }, _reply, body, done) => {
    const { 'content-encoding': coding = 'identity' } = headers
    if (coding === 'identity' || is404) return done(null, body)
    if (!isCoding(coding))
      fail('malformed_request', `Content-Encoding is ${quoted(coding)}; use gzip, deflate, br or none.`)
    const unpacked = codings[coding]()
    // Fastify compares this with Content-Length.
    Object.defineProperty(unpacked, 'receivedEncodedLength', { get: () => unpacked.bytesWritten })
    done(
      null,
      pipeline(body, unpacked, () => {}),
    )
  })
}

const isCoding = (text: string): text is keyof typeof codings => Object.hasOwn(codings, text)
