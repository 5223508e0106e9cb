/** C0 and C1 controls, DEL, and the marks that change the direction of text or end a line. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters in a line: quoted text could command the terminal. */
export function visible(line: string): string {
  return line.replace(CONTROLS, escaped)
}

/** Escapes control characters except newline and tab, so JSON keeps its meaning. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS, (control) =>
    control === '\n' || control === '\t' ? control : escaped(control),
  )
}
