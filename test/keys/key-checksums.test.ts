import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { KeyTerms } from '../../src/keys/api-key.ts'
import { addKey, readKeys, revokeKey } from '../../src/keys/key-file.ts'
import { parseKeyLines } from '../../src/keys/key-lines.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const now = new Date('2026-11-22T10:00:00Z')
const unlimited = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null } as const
const limited: Omit<KeyTerms, 'name'> = {
  features: ['HotspotData', 'OracleData'],
  ratePerMinute: 60,
  quotaPer30Days: 100_000,
  lookbackDays: 30,
}

let path: string

/** A key in use, one that was revoked and one with limits. */
beforeEach(async () => {
  path = join(await temporaryFolder(), 'keys.ndjson')
  await addKey(path, { name: 'in use', ...unlimited }, now)
  await addKey(path, { name: 'leaving', ...unlimited }, now)
  await addKey(path, { name: 'limited', ...limited }, now)
  await revokeKey(path, 'leaving', now)
})

const linesOf = (text: string) => text.split('\n').slice(0, -1)

describe('a damaged key file', () => {
  const read = (bytes: Buffer) => {
    try {
      return parseKeyLines(bytes.toString(), path)
    } catch {
      return undefined
    }
  }

  it('is refused with any bit flipped', () => {
    const bytes = readFileSync(path)
    const taken: number[] = []
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const harmed = Buffer.from(bytes)
      harmed[bit >> 3] = (harmed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if (read(harmed) !== undefined) taken.push(bit)
    }
    expect(read(bytes)).toHaveLength(4)
    expect(bytes.length).toBeGreaterThan(600)
    expect(taken).toEqual([])
  })

  it('is refused, wherever it is cut off, and has no keys when it is empty', () => {
    const bytes = readFileSync(path)
    const lengths = Array.from({ length: bytes.length - 1 }, (_, length) => length)
    expect(lengths.filter((length) => read(bytes.subarray(0, length)) !== undefined)).toEqual([0])
    expect(read(bytes.subarray(0, 0))).toEqual([])
    const sentence = String.raw`is cut off within its first line, "{\"id\":\"crc32 62cd". Restore the file from`
    expect(() => parseKeyLines('{"id":"crc32 62cd', path)).toThrow(`${path} ${sentence}`)
    // Without the last line break it says the same.
    expect(read(bytes.subarray(0, -1))).toEqual(read(bytes))
  })

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a line dropped',
      ([a = '', , ...c]) => [a, ...c],
      /Line 2 of .* does not match its checksum in line 1\./,
    ],
    [
      'a line dropped with its checksum',
      ([a = '', , ...c]) => [a.replace(/crc32 [\da-f]{8}/, 'crc32'), ...c],
      /Line 2 of .* does not match its checksum/,
    ],
    ['the first line dropped', (lines) => lines.slice(1), /has lost its first line, which has the checksums/],
    ['all but one line dropped', (lines) => lines.slice(2, 3), /has lost its first line/],
    [
      'the first line dropped, and one of a build without checksums added',
      (lines) => [
        ...lines.slice(1),
        lines[1]?.trimEnd().replaceAll(/[\da-f]{12}(?=")/g, 'a'.repeat(12)) ?? '',
      ],
      /has lost its first line/,
    ],
    ['the last line dropped', (lines) => lines.slice(0, -1), /Line 5 of .* is missing\./],
    [
      'lines swapped',
      ([a = '', b = '', c = '', ...d]) => [a, c, b, ...d],
      /Line 2 of .* does not match its checksum/,
    ],
    ['a line said once more', (lines) => [...lines, lines[2] ?? ''], /Line 6 of .* adds a key that is there/],
    ['a stranger revoked', (lines) => [...lines, lines[0] ?? ''], /Line 6 of .* revokes a key that no line/],
  ])('is refused with the line and the remedy: %s', async (_, harm, sentence) => {
    writeFileSync(path, `${harm(linesOf(readFileSync(path, 'utf8'))).join('\n')}\n`)
    await expect(readKeys(path)).rejects.toThrow(sentence)
    await expect(readKeys(path)).rejects.toThrow(
      /Restore the file from a copy, or remove it and add keys anew/,
    )
    await expect(addKey(path, { name: 'new', ...unlimited }, now)).rejects.toThrow(sentence)
  })
})

/** Two keys, the first of them revoked, as a build without checksums wrote them. */
const id = ['1f0c5a7e93d2', '00aa11bb22cc'] as const
const terms = '"features":["Aggregates"],"ratePerMinute":null,"quotaPer30Days":5,"lookbackDays":null'
const oldLines = [
  `{"id":"${id[0]}","sha256":"${'0'.repeat(64)}","name":"a",${terms},"created":"2026-11-21T10:00:00.000Z"}`,
  `{"id":"${id[1]}","sha256":"${'1'.repeat(64)}","name":"b",${terms},"created":"2026-11-21T10:00:00.000Z"}`,
  `{"id":"${id[0]}","revoked":"2026-11-21T11:00:00.000Z"}`,
]

describe('a key file of a build that wrote no checksums', () => {
  const namesIn = async () =>
    ((await readKeys(path)) ?? []).map(({ name, revoked }) => [name, revoked !== undefined])
  const oldNames = [
    ['a', true],
    ['b', false],
  ]

  beforeEach(() => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${oldLines.join('\n')}\n`)
  })

  it('is read, and has checksums after the next change', async () => {
    expect(await namesIn()).toEqual(oldNames)
    await addKey(path, { name: 'c', ...unlimited }, now)
    expect(await namesIn()).toEqual([...oldNames, ['c', false]])
    const [first, ...others] = linesOf(readFileSync(path, 'utf8'))
    expect(first).toMatch(/^\{"id":"crc32( [\da-f]{8}){4}",/)
    expect(others.slice(0, 3)).toEqual(oldLines.map((line) => `${line} `))
  })

  it('may end in a truncated line, and is refused with a damaged one', async () => {
    appendFileSync(path, '{"id":"0123456789ab","sha25')
    expect(await namesIn()).toEqual(oldNames)
    writeFileSync(path, oldLines.join('\n'))
    expect(await namesIn()).toEqual(oldNames)
    writeFileSync(path, `${oldLines.join('\n')}\v`)
    await expect(readKeys(path)).rejects.toThrow(/Line 3 of .* is /)
    await expect(addKey(path, { name: 'c', ...unlimited }, now)).rejects.toThrow(/Line 3 of .* is /)
  })

  it('is readable by that build after a change of this one, and accepts its lines', async () => {
    await addKey(path, { name: 'c', ...unlimited }, now)
    await revokeKey(path, 'b', now)
    // That build knows lines of keys and lines that revoke; one that revokes what is not there changes nothing.
    const known = new Map<string, { readonly name: string; readonly revoked: boolean }>()
    for (const line of linesOf(readFileSync(path, 'utf8'))) {
      const entry = JSON.parse(line) as { id: string; name?: string; revoked?: string }
      const key = known.get(entry.id)
      if (entry.name !== undefined) known.set(entry.id, { name: entry.name, revoked: false })
      else {
        expect(Object.keys(entry)).toEqual(['id', 'revoked'])
        if (key !== undefined) known.set(entry.id, { ...key, revoked: true })
      }
    }
    expect([...known.values()].map(({ name, revoked }) => [name, revoked])).toEqual(await namesIn())
    const added = (oldLines[1] ?? '').replace(id[1], 'dddddddddddd').replace('"b"', '"d"')
    appendFileSync(path, `${added}\n{"id":"dddddddddddd","revoked":"2026-11-23T11:00:00.000Z"}\n`)
    expect(await namesIn()).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
      ['d', true],
    ])
  })
})
