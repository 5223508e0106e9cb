import type { FastifyInstance } from 'fastify'
import type { ParamFault } from '../../base/errors.ts'
import { clipped, refuse } from '../../base/parameter-text.ts'

/** Most faulty parameters in an error. */
const MOST_FAULTS = 10

/** Without such a byte, every text is valid UTF-8. */
const BEYOND_ASCII = /%[89a-f]/i

/** Refuses percent-encoded bytes that are not UTF-8; the parser would read a replacement character. */
export function refuseInvalidUtf8(server: FastifyInstance): void {
  server.addHook('preValidation', ({ url, is404 }, _reply, done) => {
    const start = BEYOND_ASCII.test(url) ? url.indexOf('?') : -1
    if (start >= 0 && !is404) refuse(findFaults(url.slice(start + 1)))
    done()
  })
}

function findFaults(query: string): readonly ParamFault[] {
  const faulty = query.split('&').filter((pair) => decode(pair) === undefined)
  return faulty.slice(0, MOST_FAULTS).map((pair) => {
    const [name = ''] = pair.split('=')
    const param = clipped(decode(name) ?? name)
    return { param, message: `${param} is not valid UTF-8; use percent-encoded UTF-8` }
  })
}

/** Returns undefined for bytes that are not UTF-8. A percent sign that encodes nothing is literal. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}
