import { REACHED } from '../ask/reached.ts'
import { h } from './h.ts'

/** A note while the server cannot be reached. */
export function offlineNote(): HTMLElement {
  const said = h('p.note.offline', { hidden: true }, NO_CONNECTION)
  document.addEventListener(REACHED, (event) => {
    said.hidden = event instanceof CustomEvent && event.detail
  })
  addEventListener('offline', () => {
    said.hidden = false
  })
  return h('div', { role: 'status' }, said)
}

const NO_CONNECTION =
  'No connection to the server. Figures are never stored on this device, so they are shown again when the server can be reached.'
