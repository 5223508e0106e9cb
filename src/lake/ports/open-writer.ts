/** Opens a writer or reader of rows. It spills into the folder, and stops when the signal is aborted. */
export type OpenWriter<Writer> = (
  spillFolder: string,
  signal?: AbortSignal,
) => Promise<Writer & { close(): Promise<void> }>
