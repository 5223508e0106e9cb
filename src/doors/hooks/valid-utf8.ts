import type { FastifyInstance } from 'fastify'
import type { ParamFault } from '../../base/errors.ts'
import { clipped, refuse } from '../../base/parameter-text.ts'

/** How many faulty parameters an error names. */
const MOST_NAMED = 10

/** A byte beyond ASCII, without which everything is UTF-8. */
const BEYOND_ASCII = /%[89a-f]/i

/** Refuses parameters whose percent-encoded bytes are not UTF-8; they would be read as a replacement character. */
export function refuseInvalidUtf8(server: FastifyInstance): void {
  server.addHook('preValidation', ({ url, is404 }, _reply, done) => {
    const start = BEYOND_ASCII.test(url) ? url.indexOf('?') : -1
    if (start >= 0 && !is404) refuse(faultsIn(url.slice(start + 1)))
    done()
  })
}

function faultsIn(query: string): readonly ParamFault[] {
  const faulty = query.split('&').filter((pair) => decoded(pair) === undefined)
  return faulty.slice(0, MOST_NAMED).map((pair) => {
    const [name = ''] = pair.split('=')
    const param = clipped(decoded(name) ?? name)
    return { param, message: `${param} is not valid UTF-8; use percent-encoded UTF-8` }
  })
}

/** Undefined for bytes that are not UTF-8. A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}
