import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CheckedFiles, openCheckedFiles } from '../../../src/lake/integrity/checked-files.ts'
import type { DigestedFile, Verdict } from '../../../src/lake/integrity/verdict.ts'
import { makePipe } from '../../support/make-pipe.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** SHA-256 of the text `ledger`, and of a mebibyte of zeros, by sha256sum. */
const LEDGER = 'fe14010b4fe83303852f0467c919ef9a7ca089b91e96e3aad7d426dd87079297'
const ZEROS = '30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58'

let folder = ''
let told: Verdict[] = []
let checked: CheckedFiles
let file: DigestedFile

beforeEach(async () => {
  folder = await temporaryFolder()
  told = []
  checked = openCheckedFiles({ lake: folder, onVerdict: (verdict) => told.push(verdict) })
  file = put('table/part-1.parquet', 'ledger', LEDGER)
})

const isBroken = (error: unknown) => error instanceof Error && error.message === 'broken'

function put(name: string, text: string, sha256: string): DigestedFile {
  const path = join(folder, name.replace('/', '-'))
  writeFileSync(path, text)
  return { path, sha256, bytes: text.length }
}

const readText = (of: DigestedFile) =>
  checked.read([of], async (nameOf) => readFileSync(nameOf(of.path), 'utf8'))
const damaged = (fault: string) => ({
  code: 'lake_damaged',
  isShown: true,
  message:
    `table-part-1.parquet of the lake is damaged: ${fault}. Answers that need it are refused until it is repaired: ` +
    'ledgerlake verify --lake DIR --repair',
})

describe('a file', () => {
  it('is read when its bytes have the digest', async () => {
    expect(await readText(file)).toBe('ledger')
    expect(checked.work).toEqual({ files: 1, bytes: 6 })
  })

  it.each([
    ['of other bytes', () => writeFileSync(file.path, 'ledges'), 'its SHA-256 is another one'],
    ['that is cut', () => writeFileSync(file.path, 'led'), 'it has 3 bytes instead of 6'],
    ['that is gone', () => rmSync(file.path), 'it is missing'],
    [
      'that is a pipe',
      () => {
        rmSync(file.path)
        makePipe(file.path)
      },
      'it is not a file',
    ],
  ])('%s is refused, and read again after its repair', async (_, harm, fault) => {
    await readText(file)
    harm()
    await expect(readText(file)).rejects.toMatchObject(damaged(fault))
    await expect(readText(file)).rejects.toMatchObject(damaged(fault))
    rmSync(file.path, { force: true })
    writeFileSync(file.path, 'ledger')
    expect(await readText(file)).toBe('ledger')
  })

  it('of many bytes is hashed in a separate thread', async () => {
    const zeros = put('zeros', '\0'.repeat(1_048_576), ZEROS)
    expect((await readText(zeros)).length).toBe(1_048_576)
    writeFileSync(zeros.path, `${'\0'.repeat(1_048_575)}\u0001`)
    await expect(readText(zeros)).rejects.toThrow('zeros of the lake is damaged: its SHA-256 is another one')
    // A mebibyte at four a second.
    const began = performance.now()
    await checked.check(zeros, 4_194_304)
    expect(performance.now() - began).toBeGreaterThan(150)
  })

  it('is not hashed again while it is unchanged', async () => {
    await settled(file)
    const before = checked.work.files
    for (let times = 0; times < 3; times += 1) await readText(file)
    expect(checked.work.files).toBe(before)
  })

  it('is hashed once for simultaneous reads, also if the first one is aborted', async () => {
    const leaving = new AbortController()
    const first = checked.read([file], async () => 'first', leaving.signal)
    const second = checked.read([file], async () => 'second')
    leaving.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect(await second).toBe('second')
    expect(checked.work.files).toBe(1)
  })
})

describe('a file that changes', () => {
  it('while it is read is refused, although it was valid before', async () => {
    const read = checked.read([file], async () => writeFileSync(file.path, 'ledges'))
    await expect(read).rejects.toMatchObject(damaged('its SHA-256 is another one'))
  })

  it('while it is read to the same bytes is read again, by another path', async () => {
    const names: string[] = []
    await checked.read([file], async (nameOf) => {
      names.push(nameOf(file.path))
      if (names.length > 1) return
      writeFileSync(join(folder, 'copy'), 'ledger')
      renameSync(join(folder, 'copy'), file.path)
    })
    expect(names).toEqual([file.path, file.path.replace(/[^/]*$/, './$&')])
  })

  it('on each read is refused after three reads', async () => {
    let copies = 0
    const read = checked.read([file], async () => {
      copies += 1
      writeFileSync(join(folder, `${copies}`), 'ledger')
      renameSync(join(folder, `${copies}`), file.path)
    })
    await expect(read).rejects.toThrow('Data files of the lake change while they are read; ask again.')
    expect(copies).toBe(3)
  })

  it('while its rows are sent ends them with an error', async () => {
    const rows = checked.stream([file], async function* () {
      yield 1
      writeFileSync(file.path, 'ledges')
      yield 2
    })
    const sent: number[] = []
    const sending = (async () => {
      for await (const row of rows) sent.push(row)
    })()
    await expect(sending).rejects.toMatchObject(damaged('its SHA-256 is another one'))
    expect(sent).toEqual([1, 2])
  })
})

describe('an error of the reader', () => {
  const failing = (error: Error, harm = () => {}) =>
    checked.read(
      [file],
      async () => {
        harm()
        throw error
      },
      undefined,
      isBroken,
    )

  it('is rethrown if the file is valid, and damage-like errors are retried once', async () => {
    await expect(failing(new Error('broken'))).rejects.toThrow('broken')
    await expect(failing(new Error('other'))).rejects.toThrow('other')
  })

  it('becomes lake_damaged if the bytes have changed', async () => {
    writeFileSync(file.path, 'ledges')
    // As a disk does it: the bytes change, and no time of the file with them.
    checked.verdicts.learn({ ...(await checked.check(file)), fault: undefined, isSettled: true })
    await expect(failing(new Error('broken'))).rejects.toMatchObject(damaged('its SHA-256 is another one'))
  })
})

/** Looks at a file once no later change can look like the last one. */
async function settled(of: DigestedFile): Promise<void> {
  await expect.poll(async () => (await checked.check(of)).isSettled, { interval: 20 }).toBe(true)
}

it('files that no snapshot in use names are forgotten, apart from the path under which they were read', async () => {
  const files = Array.from({ length: 50 }, (_, number) => put(`part-${number}`, 'ledger', LEDGER))
  const [live, changed] = some(files) as [DigestedFile, DigestedFile]
  await checked.read(files, async () => 'read')
  checked.verdicts.learn({ ...(await checked.check(changed)), fault: 'it is bad' })
  expect(checked.verdicts.size).toBe(50)
  checked.verdicts.retain(new Set([live.path]))
  expect(checked.verdicts.size).toBe(1)
  const names = await checked.read([live, changed], async (nameOf) => [
    nameOf(live.path),
    nameOf(changed.path),
  ])
  expect(names).toEqual([live.path, changed.path.replace(/[^/]*$/, './$&')])
})
