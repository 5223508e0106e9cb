import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const path = fileURLToPath(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url))
const configuration = readFileSync(path, 'utf8')
const isInstalled = spawnSync('haproxy', ['-v']).status === 0

describe('the configuration of HAProxy', () => {
  it('is shown completely in the guide', () => {
    const guide = readFileSync(new URL('../../docs/guide/scaling.md', import.meta.url), 'utf8')
    expect(guide).toContain(`\n\`\`\`\n${configuration}\`\`\`\n`)
  })

  it('checks /readyz, and retries unanswered requests on another server', () => {
    for (const line of ['option httpchk GET /readyz', 'http-check expect status 200', 'option redispatch 1'])
      expect(configuration).toContain(`\n  ${line}\n`)
    expect(configuration).toMatch(/\n {2}retry-on conn-failure empty-response\n/)
  })

  it.skipIf(!isInstalled)('is valid', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.any(String)])
  })
})
