import { main } from '../main.ts'

// Queries occupy threads of this pool. With the default of four, a few queries would block all file access.
process.env.UV_THREADPOOL_SIZE ??= '16'

// Node's fork() and cluster put process.argv[1], elsewhere a script, before the arguments.
process.argv[1] = process.execPath
const [first, ...others] = process.argv.slice(2)
void main(first === process.execPath ? others : process.argv.slice(2))
