import { readdirSync, readFileSync } from 'node:fs'
import { fail } from '../../base/errors.ts'

/** Share of the remaining descriptors for connections; data files, the engine and builders use the others. */
const PART_OF_CONNECTIONS = 0.75
const LEAST_CONNECTIONS = 16

/** Limit and number of open files of this process. */
interface OpenFiles {
  readonly limit: number
  readonly open: number
}

export function readOpenFiles(): OpenFiles | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1])
    return Number.isInteger(limit) ? { limit, open: readdirSync('/proc/self/fd').length } : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the connection limit of a server that has opened its lake; undefined without a limit.
 * Errors: `malformed_request` if too few descriptors remain.
 */
export function mostConnections(files: OpenFiles | undefined): number | undefined {
  if (files === undefined) return undefined
  const { limit, open } = files
  const most = Math.floor((limit - open) * PART_OF_CONNECTIONS)
  if (most >= LEAST_CONNECTIONS) return most
  fail(
    'malformed_request',
    `This process may have ${limit} files open and has ${open}, which leaves too few for connections. ` +
      `Raise the limit: ulimit -n ${Math.max(1024, 4 * open)}, or LimitNOFILE= in the unit of the service.`,
  )
}
