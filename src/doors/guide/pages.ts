import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** The guide as rendered pages. */
export interface GuidePages {
  /** Content-Security-Policy of every page. */
  readonly policy: string
  /** HTML by the name below /guide; the contents have an empty name. */
  readonly pages: readonly (readonly [name: string, html: string])[]
  /** PNG files in base64 by the name below /guide. */
  readonly pictures: readonly (readonly [name: string, base64: string])[]
}

/** Placeholder of the server's path in addresses of pages. */
export const ANY_BASE = '{path of the server}'

/** Set by scripts/bundle.mjs, compressed JSON in base64; undefined when running from source. */
declare const LEDGERLAKE_GUIDE: { readonly brotli: string } | undefined

/** Returns the guide of the program; undefined when running from source. */
export async function builtGuide(): Promise<GuidePages | undefined> {
  if (typeof LEDGERLAKE_GUIDE !== 'object') return undefined
  const json = await promisify(brotliDecompress)(Buffer.from(LEDGERLAKE_GUIDE.brotli, 'base64'))
  return JSON.parse(json.toString())
}
