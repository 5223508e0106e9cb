import { h } from '../parts/h.ts'
import { fillLater } from '../parts/panel.ts'
import { normalizedName } from '../values/hotspot-list.ts'

/** The user's list of hotspots, kept in the local storage of this browser. */
const NAME = 'ledgerlake-fleet'

export function rememberedKeys(): readonly string[] {
  return (localStorage.getItem(NAME) ?? '').split(',').filter((key) => key !== '')
}

export function rememberKeys(keys: readonly string[]): void {
  localStorage.setItem(NAME, [...new Set(keys)].join(','))
}

/** A button that adds a hotspot to the list or removes it. The list may have its key or its name. */
export function remember(key: string, name = ''): HTMLElement {
  const isIt = (one: string) => one === key || (name !== '' && normalizedName(one) === normalizedName(name))
  const isIn = () => rememberedKeys().some(isIt)
  const toggle = () => {
    const remaining = rememberedKeys().filter((one) => !isIt(one))
    rememberKeys(isIn() ? remaining : [...remaining, key])
    tell()
  }
  const button = h('button.small', { type: 'button', click: toggle })
  const tell = () => {
    button.textContent = isIn() ? 'In my hotspots' : 'Add to my hotspots'
    button.setAttribute('aria-pressed', String(isIn()))
  }
  tell()
  return button
}

/** A button that adds all hotspots of `askKeys` to the list, and says how many were new. */
export function rememberAll(askKeys: () => Promise<readonly string[]>): HTMLElement {
  const said = h('span.quiet', { role: 'status' })
  const button = h('button.small', { type: 'button', click: add }, 'Add all to my hotspots')
  function add(): void {
    button.disabled = true
    void fillLater(said, async () => {
      const keys = await askKeys()
      const before = rememberedKeys()
      rememberKeys([...before, ...keys])
      const added = rememberedKeys().length - before.length
      return ` ${added} added, ${keys.length - added} were in it.`
    }).finally(() => {
      button.disabled = false
    })
  }
  return h('span', button, said)
}
