import { describe, expect, it } from 'vitest'
import { pageBelow } from '../../src/explorer/offline/page-below.ts'

describe.each(['https://host/', 'https://host/base/'])('below %s, the service worker', (scope) => {
  it.each([
    '',
    'fleet',
    'fleet?keys=a',
    'hotspot/11abc',
    'owner/a',
    'account/a',
    'gateway/a',
    'transaction/a',
  ])('shows /%s as a page', (path) => {
    expect(pageBelow(scope + path, scope)).toBe('page')
  })

  it('keeps the files of the explorer', () => {
    expect(pageBelow(`${scope}explorer/main-AB12.js`, scope)).toBe('file')
  })

  it.each([
    ...['v1/net/status', 'v1/net/l2/hotspots/a', 'graphql', 'docs', 'guide', 'guide/explorer', 'healthz'],
    ...['service-worker.js', 'manifest.webmanifest', 'hotspot', 'hotspot/a/b', 'mcp', 'sharing/shares'],
  ])('never stores or answers /%s', (path) => {
    expect(pageBelow(scope + path, scope)).toBeUndefined()
  })

  it('leaves other servers alone', () => {
    expect(pageBelow('https://other/fleet', scope)).toBeUndefined()
    expect(pageBelow('https://other/base/explorer/a.js', scope)).toBeUndefined()
  })
})

it('leaves addresses beside its base path alone', () => {
  expect(pageBelow('https://host/fleet', 'https://host/base/')).toBeUndefined()
})
