import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { keptLakes } from '../../support/lakes/kept-lakes.ts'
import { verifierOf } from '../../support/lakes/sound-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe.each(keptLakes)('a kept lake of $format', ({ copyTo }) => {
  it('has no fault in lake, state folder and key file, and files without a checksum are noted', async () => {
    const place = await temporaryFolder()
    copyTo(place)
    const { findings, files } = await (await verifierOf(join(place, 'lake'), 'with an engine')).verify()
    expect(files).toBeGreaterThan(50)
    expect(findings.filter(isFault)).toEqual([])
    const { code, stdout } = await runMain([
      ...['verify', '--lake', join(place, 'lake')],
      ...['--keys', join(place, 'keys.ndjson'), '--repair', '--json'],
    ])
    expect(code).toBe(0)
    const notes: readonly { kind: string }[] = JSON.parse(stdout).findings
    expect(notes.filter(({ kind }) => kind === 'checkpoint')).toEqual([])
  })
})
