import type { DataFile } from '../../lake/facts/data-file.ts'

/** The remote side of a copied lake, where its commits take effect. Paths are within a table. */
export interface Remote {
  /** How sentences name it. */
  readonly url: string
  /** Brings data files that are not in the folder, or have other bytes there. */
  bring(files: readonly DataFile[], areDamaged?: boolean): Promise<void>
  /** The last so many bytes of a data file, which nobody has compared with its SHA-256. */
  readEnd(file: DataFile, bytes: number): Promise<Buffer>
  /** Sends files that a commit is about to name. */
  send(table: string, paths: readonly string[]): Promise<void>
  /**
   * Creates a log entry, only if its version is free. Gives false when another commit took it; then the folder has all that is
   * there.
   */
  create(table: string, version: number, text: string): Promise<boolean>
  /** Says that the folder has a commit that was created. */
  announce(): Promise<void>
  /** Takes files back that were sent and will not be named. */
  withdraw(table: string, paths: readonly string[]): Promise<void>
}
