import { h } from '../parts/h.ts'

/** The hotspots that a reader wants to see together; the list stays in this browser. */
const NAME = 'ledgerlake-fleet'

export function rememberedKeys(): readonly string[] {
  return (localStorage.getItem(NAME) ?? '').split(',').filter((key) => key !== '')
}

export function rememberKeys(keys: readonly string[]): void {
  localStorage.setItem(NAME, [...new Set(keys)].join(','))
}

/** A button that puts a hotspot into the list, or takes it out. */
export function remember(key: string): HTMLElement {
  const isIn = () => rememberedKeys().includes(key)
  const toggle = () => {
    const others = rememberedKeys().filter((one) => one !== key)
    rememberKeys(isIn() ? others : [...others, key])
    tell()
  }
  const button = h('button', { type: 'button', class: 'small', click: toggle })
  const tell = () => {
    button.textContent = isIn() ? 'In my hotspots' : 'Add to my hotspots'
    button.setAttribute('aria-pressed', String(isIn()))
  }
  tell()
  return button
}
