/** Opens what writes or reads rows for a while; it spills into the folder given. */
export type OpenWriter<Writer> = (spillFolder: string) => Promise<Writer & { close(): Promise<void> }>
