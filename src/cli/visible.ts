/** A line that quotes what others wrote, which may say anything to a terminal. */
export function visible(line: string): string {
  return line.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
