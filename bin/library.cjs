'use strict'
const { LedgerlakeError, openLake } = require('./load-library.cjs')

module.exports = { LedgerlakeError, openLake }
