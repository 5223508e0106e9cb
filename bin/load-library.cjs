'use strict'
const { join } = require('node:path')
const { loadProgram } = require('./load-program.cjs')

/** The library out of the built program. Statements of SQL run in processes of it, which its command starts. */
const program = loadProgram(join(__dirname, '..', 'dist', 'ledgerlake.cjs'))
program.useProgram(join(__dirname, 'ledgerlake'))

module.exports = program
