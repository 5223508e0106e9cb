import type { DataFile } from '../../lake/facts/data-file.ts'

/** The remote side of a copied lake, where its commits take effect. Paths are relative to a table. */
export interface Remote {
  /** Address in messages. */
  readonly url: string
  /** Downloads data files that are missing or, with `areDamaged`, have other bytes. */
  bring(files: readonly DataFile[], areDamaged?: boolean): Promise<void>
  /** Returns the last bytes of a data file without verifying its SHA-256. */
  readEnd(file: DataFile, bytes: number): Promise<Buffer>
  /** Uploads files for the next commit. */
  send(table: string, paths: readonly string[]): Promise<void>
  /**
   * Creates a log entry if its version is free. Returns false if another commit has it; the folder is then up to date.
   */
  create(table: string, version: number, text: string): Promise<boolean>
  /** Publishes that a commit was created. */
  announce(): Promise<void>
  /** Removes uploaded files that no commit will name. */
  withdraw(table: string, paths: readonly string[]): Promise<void>
}
