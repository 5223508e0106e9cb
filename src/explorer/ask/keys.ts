import { keyOfFragment } from '../values/key-of-fragment.ts'

/** The API key is kept in the session storage: closing the tab deletes it. */
const NAME = 'ledgerlake-key'

export function knownKey(): string | null {
  takeLinkedKey()
  return sessionStorage.getItem(NAME)
}

/** Moves the key of a link to the storage, out of the address bar and the history of the tab. */
function takeLinkedKey(): void {
  const key = keyOfFragment(location.hash)
  if (key === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (key !== '') keepKey(key)
}

export function keepKey(key: string): void {
  sessionStorage.setItem(NAME, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
}
