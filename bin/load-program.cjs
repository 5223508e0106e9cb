'use strict'
const { hash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/**
 * Loads the built program with the code that was compiled for it, which starts it in half the time. Compiled code is used
 * for the very text and the very V8 that it was made of; without it the text is compiled anew.
 */
function loadProgram(file) {
  // esbuild writes ASCII alone, which is read fastest as what it is.
  const text = readFileSync(file, 'latin1')
  const name = hash('sha256', `${process.versions.v8} ${process.arch} ${text}`).slice(0, 16)
  const compiledFile = join(dirname(file), `${name}.compiled`)
  const cachedData = readIfThere(compiledFile)
  const script = new Script(wrap(text), { filename: file, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
  return {
    main: module.exports.main,
    isCompiled: cachedData !== undefined && script.cachedDataRejected === false,
    compiledFile,
    /** What was compiled so far: functions that ran are in it, others are not. */
    compiled: () => script.createCachedData(),
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

module.exports = { loadProgram }
