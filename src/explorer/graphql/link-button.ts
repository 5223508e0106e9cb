import { fill, h } from '../parts/h.ts'

/** Copies a link that carries what is written. */
export function linkButton(keepInAddress: () => void): HTMLElement {
  const button = h('button', { type: 'button', click: copy }, 'Copy link')
  function copy(): void {
    keepInAddress()
    navigator.clipboard.writeText(location.href).then(
      () => fill(button, 'Link copied'),
      () => fill(button, 'The link is the address'),
    )
  }
  return button
}
