'use strict'
const { hash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/**
 * Loads the built program with the code that V8 compiled of it ahead, which saves a quarter of the processor time of
 * `ledgerlake --version` (0.1 s) and of a start of `serve` (0.15 s). It is used only with the same text and the same V8, else the text is compiled
 * anew. From Node 22.1 module.enableCompileCache would do; as long as Node 20 is supported, it is not there.
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
    ...module.exports,
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
