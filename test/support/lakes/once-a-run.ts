import { cpSync, existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inject } from 'vitest'

/** Copies a folder to a place. `make` fills it once for all test files of a run; the other workers wait for it. */
export async function copyOnceMade(
  name: string,
  to: string,
  make: (folder: string) => Promise<unknown>,
): Promise<void> {
  const folder = join(inject('sharedFolder'), name)
  while (!existsSync(folder)) {
    if (isFirst(`${folder} begun`))
      try {
        if (existsSync(folder)) break
        await make(`${folder} new`)
        renameSync(`${folder} new`, folder)
      } finally {
        rmdirSync(`${folder} begun`)
      }
    else await setTimeout(10)
  }
  cpSync(folder, to, { recursive: true, preserveTimestamps: true })
}

function isFirst(sign: string): boolean {
  try {
    mkdirSync(sign)
    return true
  } catch {
    return false
  }
}
