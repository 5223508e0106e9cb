import { main } from '../main.ts'

// Queries occupy threads of this pool; with the default of four, a few of them would hold up every file access.
process.env.UV_THREADPOOL_SIZE ??= '16'

// Node's fork() and cluster start process.execPath with process.argv[1], a script elsewhere, before the arguments.
process.argv[1] = process.execPath
const [first, ...others] = process.argv.slice(2)
void main(first === process.execPath ? others : process.argv.slice(2))
