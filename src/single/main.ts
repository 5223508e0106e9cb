import { main } from '../cli/main.ts'

// Queries occupy threads of this pool; with the default of four, a few of them would hold up every file access.
process.env.UV_THREADPOOL_SIZE ??= '16'

// Node's fork() and cluster name the script before the arguments; here the script is the executable itself.
const [, self, ...words] = process.argv
void main(words[0] === self ? words.slice(1) : words)
