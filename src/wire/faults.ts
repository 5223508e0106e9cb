/** A message that cannot be a row. The rest of its file is stored; the message is kept with this reason. */
export class RowFault extends Error {}

/** A file that cannot be trusted at all. Nothing of it is stored. */
export class FileFault extends Error {}
