/** Opens what writes or reads rows for a while; it spills into the folder given, and gives up when the signal is aborted. */
export type OpenWriter<Writer> = (
  spillFolder: string,
  signal?: AbortSignal,
) => Promise<Writer & { close(): Promise<void> }>
