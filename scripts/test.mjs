import { buildProgram, install, root, run } from './prepare.mjs'

install()
buildProgram()
run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)])
