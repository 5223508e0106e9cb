import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { fail, sentenceOf } from '../../base/errors.ts'
import { cacheFolders, claimFolder } from './cache-folder.ts'
import { type Asset, unpack } from './unpack.ts'

/** List of the engine's files, written by scripts/build-binary.mjs. */
interface Contents {
  /** Folder to unpack to, named after the digests of the files. */
  readonly folder: string
  readonly library: string
  readonly files: readonly Omit<Asset, 'bytes'>[]
}

type Members = Record<PropertyKey, unknown>

/** Returns an object with the engine's constants; the first use of any other member loads the engine. */
export function lazyEngine(constants: Members, load: () => Members = loadEngine): Members {
  const engine: Members = Object.create(
    new Proxy(Object.prototype, {
      get(inherited, name) {
        if (typeof name === 'symbol' || name === '__esModule' || name in inherited)
          return Reflect.get(inherited, name)
        const native = load()
        for (const member of Object.getOwnPropertyNames(native))
          engine[member] = boundTo(native, native[member])
        Object.setPrototypeOf(engine, Object.prototype)
        return engine[name]
      },
    }),
  )
  return Object.assign(engine, constants)
}

/** Binds native functions to their object: called on another one, they crash the process. */
function boundTo(native: Members, member: unknown): unknown {
  return typeof member === 'function' ? member.bind(native) : member
}

/** Unpacks the native engine if needed, and loads it. Errors: `malformed_request`, with the flag to use. */
function loadEngine(): Members {
  const { folder, library, files } = JSON.parse(getAsset('engine.json', 'utf8')) as Contents
  const assets = files.map((file) => ({
    ...file,
    bytes: () => new Uint8Array(getRawAsset(file.name) as ArrayBuffer),
  }))
  const refused: string[] = []
  for (const base of cacheFolders()) {
    try {
      const claimed = claimFolder(base, folder)
      unpack(claimed, assets)
      const module: { exports: Members } = { exports: {} }
      process.dlopen(module, join(claimed, library))
      return module.exports
    } catch (error) {
      refused.push(`${base}: ${sentenceOf(error)}`)
    }
  }
  return fail(
    'malformed_request',
    `The engine cannot be unpacked and loaded (${refused.join('; ')}). Name a folder of this user with 80 MB of space, ` +
      'on a file system that is not mounted noexec: --cache-dir DIR or LEDGERLAKE_CACHE_DIR=DIR.',
  )
}
