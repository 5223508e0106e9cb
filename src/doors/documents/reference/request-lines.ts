import { type Json, writeJson } from '../../../base/values/json-writer.ts'
import type { Method, OperationObject, Parameter } from '../../open-api/paths/document-types.ts'

const textOf = (value: Json) => (typeof value === 'string' ? value : writeJson(value))

/** Example values of parameters in the path or the query. */
function exampleValues(
  { parameters = [] }: OperationObject,
  where: Parameter['in'],
): readonly (readonly [string, string])[] {
  return parameters.flatMap(({ name, in: location, example }) =>
    location === where && example !== undefined ? [[name, textOf(example)] as const] : [],
  )
}

function pathOf(path: string, operation: OperationObject): string {
  return exampleValues(operation, 'path').reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
}

/** Address of the example, relative to the server. */
export function addressOf(path: string, operation: OperationObject): string {
  const query = exampleValues(operation, 'query').map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return pathOf(path, operation) + (query.length === 0 ? '' : `?${query.join('&').replaceAll('%3A', ':')}`)
}

/** Writes the example as a shell command, one parameter a line. */
export function curlOf(base: string, path: string, method: Method, operation: OperationObject): string {
  const address = quoted(base + pathOf(path, operation))
  if (method === 'post') {
    const body = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]
    return [
      `curl ${address}`,
      "-H 'Content-Type: application/json'",
      `-d ${quoted(writeJson(body?.value ?? {}))}`,
    ].join(BREAK)
  }
  const query = exampleValues(operation, 'query').map(([name, value]) => {
    const option = /^[\w.:,~-]*$/.test(value) ? '-d' : '--data-urlencode'
    return `${option} ${quoted(`${name}=${value}`)}`
  })
  return [query.length === 0 ? `curl ${address}` : `curl -G ${address}`, ...query].join(BREAK)
}

const BREAK = ' \\\n  '

function quoted(text: string): string {
  return /^[\w./:=,~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
