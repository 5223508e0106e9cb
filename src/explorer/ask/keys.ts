/** The API key, for this tab alone: it goes when the tab is closed. */
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
