/**
 * Stops on a Node.js that is older than package.json asks for, in one sentence. Loaded before all else, and itself in a
 * JavaScript that any Node.js reads.
 */
'use strict'
var wanted = require('./package.json').engines.node
var least = Number(/\d+/.exec(wanted)[0])

/** The sentence for a version such as `20.1.0`; undefined where it will do. */
exports.faultOf = version => {
  if (Number(version.split('.')[0]) >= least) return undefined
  return (
    'partner-graph needs Node.js ' +
    least +
    ' or later, and this is ' +
    version +
    ': install it, or run npm ci with the development packages (without --omit=dev), which bring the right one along'
  )
}

var fault = exports.faultOf(process.versions.node)
if (fault) {
  console.error(fault)
  process.exit(1)
}
