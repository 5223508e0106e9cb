import { buildProgram, install, root, run } from './prepare.mjs'

/** Runs the tests of the tier that TEST_TIER names; what is given is for Vitest, such as the path of a test. */

install()
if (process.env.TEST_TIER !== 'unit') buildProgram()
run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)])
