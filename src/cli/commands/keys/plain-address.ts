import { fail } from '../../../base/errors.ts'

/** Returns the address of a server without the last slash. Errors: `malformed_request` if it has a user, query or fragment. */
export function plainAddress(flag: string, url: string): string {
  const isPlain = /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(url) && URL.canParse(url)
  if (!isPlain)
    fail(
      'malformed_request',
      `${flag} is ${JSON.stringify(url)}; use an address such as https://lake.example.org.`,
    )
  return url.replace(/\/+$/, '')
}
