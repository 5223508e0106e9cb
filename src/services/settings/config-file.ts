import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fail, type ParamFault, sentenceOf } from '../../base/errors.ts'

/** Settings of a configuration file, as texts of flags. */
export interface ConfigFile {
  readonly path: string
  readonly texts: ReadonlyMap<string, string>
  /** Values that cannot be converted to text. */
  readonly faults: readonly ParamFault[]
}

const USUAL = 'ledgerlake.json'

/**
 * Reads the named file, or `ledgerlake.json` if it exists; otherwise undefined.
 * Errors: `malformed_request` for a file that is unreadable or no JSON object.
 */
export function readConfigFile(named: string, folder = '.'): ConfigFile | undefined {
  const path = named || join(folder, USUAL)
  const content = contentOf(path, named !== '')
  if (content === undefined) return undefined
  const texts = new Map<string, string>()
  const faults: ParamFault[] = []
  for (const [name, value] of Object.entries(content)) {
    const text = textOf(value)
    if (text !== undefined) texts.set(name, text)
    else {
      const param = `${name} in ${path}`
      const shown = value === null ? 'null' : Array.isArray(value) ? 'a list of other things' : 'an object'
      faults.push({
        param,
        message: `${param} is ${shown}; use a string, a number, true, false, or an array of strings`,
      })
    }
  }
  return { path, texts, faults }
}

/** Resolves a path in a configuration file relative to the folder of that file. */
export function fromFolderOf(file: string, path: string): string {
  return path === '' || isAbsolute(path) ? path : join(dirname(file), path)
}

function contentOf(path: string, isNamed: boolean): object | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (!isNamed && cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    return fail('malformed_request', `The configuration file cannot be read: ${sentenceOf(cause)}.`, {
      cause,
    })
  }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    return fail('malformed_request', `${path} is not JSON: ${sentenceOf(cause)}`, { cause })
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  return fail('malformed_request', `${path} is not a JSON object; write settings such as {"port": 8080}`)
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? value.join(',') : undefined
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}
