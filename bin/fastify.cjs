'use strict'
const { ledgerlake } = require('./load-library.cjs')

module.exports = { ledgerlake }
