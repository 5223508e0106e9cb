/** The API key is kept in the session storage: closing the tab deletes it. */
const NAME = 'ledgerlake-key'

export function knownKey(): string | null {
  return sessionStorage.getItem(NAME)
}

export function keepKey(key: string): void {
  sessionStorage.setItem(NAME, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
}
