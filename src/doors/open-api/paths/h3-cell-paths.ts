import { cellQuery, cellsPath } from '../../contract/h3-cell-query.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { exactly, reference, type Schema } from '../schemas/schema.ts'
import type { DocumentOptions, OpenApiDocument, OperationObject } from './document-types.ts'
import { caughtError, errorResponses, headerReferences } from './error-responses.ts'
import { securityOf } from './rest-operations.ts'

const EXAMPLE = '8928308280fffff'

const degrees = (most: number, description: string): Schema => ({
  ...{ type: 'number', format: 'double', minimum: -most, maximum: most },
  description,
})

const position: Schema = {
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: { type: 'number', format: 'double', minimum: -360, maximum: 360 },
  description: 'Longitude, latitude.',
}

const ring: Schema = {
  type: 'array',
  minItems: 6,
  maxItems: 11,
  items: position,
  description: 'Corners, counterclockwise; the last is the first.',
}

export const cellSchemas: Readonly<Record<string, Schema>> = {
  H3Cell: exactly(
    {
      type: { type: 'string', const: 'Feature' },
      id: { type: 'string', pattern: '^8[0-9a-f]{14}$', description: 'The index in hexadecimal digits.' },
      geometry: exactly({
        type: { type: 'string', const: 'Polygon' },
        coordinates: { type: 'array', minItems: 1, maxItems: 1, items: ring },
      }),
      properties: exactly({
        decimal: {
          type: 'string',
          pattern: '^[0-9]{18}$',
          description: 'The index as a decimal integer, as hotspots of L2 have it.',
        },
        resolution: { type: 'integer', minimum: 0, maximum: 15, description: 'From 0, the coarsest, to 15.' },
        latitude: degrees(90, 'Of the centre, in degrees north.'),
        longitude: degrees(180, 'Of the centre, in degrees east.'),
      }),
    },
    'An H3 cell as a Feature of GeoJSON.',
  ),
}

export function cellPaths({ prefix, style, asksKey = false }: DocumentOptions): OpenApiDocument['paths'] {
  const refusal = caughtError(() => cellQuery('8928308280', {}))
  const get: OperationObject = {
    operationId: 'get-h3-cell',
    tags: ['Service'],
    summary: 'Where an H3 cell lies',
    description:
      'The boundary and the centre of a cell, such as the location of a hotspot, as GeoJSON in decimal degrees (WGS 84). Longitudes go on ' +
      'beyond 180 or -180 for a cell on both sides of that meridian. It follows from the index: no data are read.',
    security: securityOf([], asksKey),
    parameters: [
      {
        ...{ name: 'id', in: 'path', required: true, example: EXAMPLE },
        description: 'H3 cell of any resolution, in hexadecimal digits or as a decimal integer.',
        schema: { type: 'string', pattern: '^(?:(?:0x)?0?8[0-9A-Fa-f]{14}|[56][0-9]{17})$' },
      },
    ],
    responses: {
      200: {
        description: 'The cell.',
        headers: headerReferences(['X-Request-Id', ...limitHeaders]),
        content: { 'application/json': { schema: reference('schemas', 'H3Cell') } },
      },
      ...errorResponses([refusal], style),
    },
  }
  return { [`${prefix}${cellsPath}/{id}`]: { get } }
}
