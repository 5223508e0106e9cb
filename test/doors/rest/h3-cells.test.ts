import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { readRounded, schemaCheckOf } from '../../support/schema-check.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { contentOf, type Documented } from '../../support/servers/documented.ts'
import { operationOf } from '../../support/servers/documented-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

interface Cell {
  readonly id: string
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[] }
  readonly properties: {
    readonly decimal: string
    readonly resolution: number
    readonly latitude: number
    readonly longitude: number
  }
}

let lake = ''
let served: TestServer

beforeAll(async () => {
  lake = await smallLake()
  served = await buildTestServer(lake)
})

async function cellOf(id: string): Promise<Cell> {
  const { status, text } = await served.get(`/h3-cells/${id}`)
  expect(status, text).toBe(200)
  return JSON.parse(text) as Cell
}

/** Corners without the last, which is the first. */
function cornersOf({ geometry: { coordinates } }: Cell): readonly (readonly [number, number])[] {
  const [ring = []] = coordinates
  expect(ring.at(-1)).toEqual(ring[0])
  return ring.slice(0, -1)
}

const asRead = (degrees: number, digits: number) => Number(degrees.toFixed(digits))

describe('an H3 cell', () => {
  // Copied by hand from the documentation of H3_CELL_TO_BOUNDARY of Snowflake: the cell of the Brandenburg Gate.
  const gate = [
    [13.37146281884266, 52.51934565725256],
    [13.36924966147084, 52.51510220405509],
    [13.37455447449988, 52.51214028989955],
    [13.38207263166664, 52.51342164903257],
    [13.38428664751681, 52.51766506194694],
    [13.37898164779325, 52.52062715603375],
  ]

  it.each([
    '881f1d4887fffff',
    '881F1D4887FFFFF',
    '0881f1d4887fffff',
    '0x881f1d4887fffff',
    '613036919424548863',
  ])('requested as %s has the published corners', async (id) => {
    const cell = await cellOf(id)
    expect([cell.id, cell.properties.decimal, cell.properties.resolution]).toEqual([
      ...['881f1d4887fffff', '613036919424548863', 8],
    ])
    expect(cornersOf(cell)).toEqual(gate.map((corner) => corner.map((degrees) => asRead(degrees, 9))))
  })

  it('has the centre and the first corner that the README of h3-js gives', async () => {
    const cell = await cellOf('87283472bffffff')
    const { latitude, longitude } = cell.properties
    expect([latitude, longitude]).toEqual([37.351718202, -122.050325653])
    expect(cornersOf(cell)[0]).toEqual([-122.041561352, 37.341099093])
  })

  it('of the resolution of locations has the corners that the manual of h3r gives', async () => {
    const corners = cornersOf(await cellOf('8cbe63562a54bff'))
    expect(corners.map(([lng, lat]) => [asRead(lng, 4), asRead(lat, 5)])).toEqual([
      ...[
        [144.9833, -37.8203],
        [144.9833, -37.82019],
        [144.9832, -37.82012],
      ],
      ...[
        [144.9831, -37.82016],
        [144.9831, -37.82026],
        [144.9832, -37.82033],
      ],
    ])
  })

  it('has all corners on both sides of the 180th meridian', async () => {
    // Of resolution 3, in the Pacific.
    const { geometry, properties } = await cellOf('839b5dfffffffff')
    const longitudes = (geometry.coordinates[0] ?? []).map(([lng]) => lng)
    expect(Math.max(...longitudes)).toBeGreaterThan(180)
    expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeLessThan(3)
    expect(Math.abs(properties.longitude)).toBeLessThanOrEqual(180)
  })

  it.each([
    ['a pentagon', '8009fffffffffff', 6],
    ['a pentagon whose edges cross faces', '81083ffffffffff', 11],
    ['a hexagon whose edges cross faces', '81023ffffffffff', 9],
    ['one around the North Pole', '85032623fffffff', 7],
    ['the finest', '8f2834700000000', 7],
  ])('matches its JSON schema: %s', async (_what, id, corners) => {
    const document = readRounded<Documented>((await served.server.inject('/openapi.json')).body)
    const operation = operationOf(document, '/v1/net/h3-cells/{id}')
    const { text } = await served.get(`/h3-cells/${id}`)
    const { schema = {} } = contentOf(document, operation, '200') ?? {}
    expect(schemaCheckOf(document).faultsOf(schema, readRounded(text))).toEqual([])
    expect(JSON.parse(text).geometry.coordinates[0]).toHaveLength(corners)
  })

  it.each(['8928308280ffff', '8928308280ffffe', 'san-francisco', '12345', '8009fffffffffff0'])(
    'that is invalid, %s, returns 422 with the accepted form',
    async (id) => {
      const { status, text } = await served.get(`/h3-cells/${id}`)
      expect(status).toBe(422)
      const { error, code, errors } = JSON.parse(text)
      expect([error, code]).toEqual([
        `id is "${id}"; use an H3 cell, in hexadecimal digits such as 8928308280fffff or as a decimal integer such as 617700169958293503.`,
        'malformed_request',
      ])
      expect(errors).toEqual([{ param: 'id', message: error.slice(0, -1) }])
    },
  )

  it('that a JSON reader has rounded is refused with a hint, and so is a parameter', async () => {
    const { text } = await served.get('/h3-cells/617700169958293504?format=wkt')
    expect(JSON.parse(text).error).toMatch(
      /^id is "617700169958293504"; .* may have been rounded by a JSON reader.*format is not a parameter here; remove it\.$/,
    )
  })

  it('is cacheable, has an ETag, and depends on no snapshot', async () => {
    const { headers } = await served.get('/h3-cells/8928308280fffff')
    expect(headers['cache-control']).toBe('public, max-age=86400')
    expect(headers).not.toHaveProperty('ledgerlake-snapshot')
    const again = await served.server.inject({
      url: '/v1/net/h3-cells/8928308280fffff',
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.statusCode).toBe(304)
  })

  it('requires a key if the server has keys', async () => {
    const gated = await gatedServer(lake)
    expect((await gated.ask('/v1/net/h3-cells/8928308280fffff')).status).toBe(401)
    const { status, headers } = await gated.ask('/v1/net/h3-cells/8928308280fffff', await gated.newKey())
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=86400'])
  })
})
