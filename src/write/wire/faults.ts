/** A message that cannot become a row. The rest of its file is stored, and the message is kept with this reason. */
export class RowFault extends Error {}

/** An invalid file. None of its rows are stored. */
export class FileFault extends Error {}

const LONGEST_SHOWN = 80

/** Shortens text for an error message. */
export function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
