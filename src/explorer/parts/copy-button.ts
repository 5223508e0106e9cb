import { fill, h } from './h.ts'

/** A button that copies a text and shows whether the browser allowed it. */
export function copyButton(text: () => string, label = 'Copy'): HTMLButtonElement {
  const button = h('button.small', { type: 'button', click: copy }, label)
  function copy(): void {
    navigator.clipboard.writeText(text()).then(
      () => fill(button, 'Copied'),
      () => fill(button, 'Not allowed'),
    )
  }
  return button
}
