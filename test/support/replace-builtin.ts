import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

/**
 * Puts others in the place of functions of a module of Node, for the tests of a file; `module` is its default export. Unlike
 * `vi.mock` this leaves modules shared with other test files.
 */
export function replaceBuiltin<T extends object>(module: T, replace: (real: T) => Partial<T>): void {
  const real = { ...module }
  const replaced = replace(real)
  const put = (functions: Partial<T>) => {
    for (const name of Object.keys(replaced) as (keyof T)[]) {
      if (module[name] !== functions[name]) module[name] = functions[name] as T[keyof T]
    }
    syncBuiltinESMExports()
  }
  beforeAll(() => put(replaced))
  afterAll(() => put(real))
}
