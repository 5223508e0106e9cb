import { h } from '../parts/h.ts'

/** Event of `document` after a request, with whether the server was reached. */
const REACHED = 'ledgerlake-reached'

export const tellReached = (isReached: boolean) =>
  document.dispatchEvent(new CustomEvent(REACHED, { detail: isReached }))

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
