/**
 * Packages that others load for what nobody does here are not loaded: they would take a fifth of the imports' time, and
 * 20 MiB. `compile-cache.js` loads this before everything else.
 */
// Not by name, which an old Node.js would refuse before it is told to be too old.
import module from 'node:module'

/** What stays out, by the package that would load it. */
export const LEFT_OUT = {
  '@apollo/gateway': [
    // `npm run compose` composes, no server.
    '@apollo/composition',
    // Telemetry is forbidden (`forbidTelemetry`).
    '@opentelemetry/exporter-metrics-otlp-http',
    '@opentelemetry/resource-detector-alibaba-cloud',
    '@opentelemetry/resource-detector-aws',
    '@opentelemetry/resource-detector-azure',
    '@opentelemetry/resource-detector-gcp',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/semantic-conventions/incubating',
    // Subgraphs are reached by `transport/`, the supergraph is read by `supergraph/source.ts`.
    'async-retry',
    'make-fetch-happen',
  ],
  // Pictures of graphs, and plans as text.
  '@apollo/query-graphs': ['ts-graphviz'],
  '@apollo/query-planner': ['pretty-format'],
  // The schema is the gateway's.
  '@apollo/server': ['@graphql-tools/schema'],
}

const STAND_IN = new URL('left-out-stand-in.js', import.meta.url).href
const OWNER = /\/node_modules\/(@apollo\/[^/]+)\/(?!.*\/node_modules\/)/

module.registerHooks({
  resolve(specifier, context, next) {
    const [, owner] = OWNER.exec(context.parentURL) ?? []
    const isOut = LEFT_OUT[owner]?.includes(specifier)
    return isOut ? { url: STAND_IN, format: 'module', shortCircuit: true } : next(specifier, context)
  },
})
