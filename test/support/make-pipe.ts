import { execFileSync } from 'node:child_process'

/** Makes a named pipe: whoever opens it waits for somebody at its other end. */
export function makePipe(path: string): void {
  execFileSync('mkfifo', [path])
}
