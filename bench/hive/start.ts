/**
 * Starts Hive Gateway at 127.0.0.1:`PORT` (4100) and prints when it is ready: `node bench/hive/start.ts`, after
 * `npm ci --ignore-scripts --prefix bench/hive`. `SUBGRAPH_URLS=name=url,…` and `SUPERGRAPH=<file>` say what it serves,
 * `HIVE_ROUTER_RUNTIME=1` takes its Rust planner, `CONFIG=<file>` another configuration than `gateway.config.ts`. Runs in this very process, whose CPU time and memory are its own.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const READY_WITHIN_MS = 60_000
const PROGRAM = join(import.meta.dirname, 'node_modules/@graphql-hive/gateway/dist/bin.js')

const { PORT = '4100', CONFIG = 'gateway.config.ts' } = process.env
const address = `http://127.0.0.1:${PORT}`

/** Nothing but what is meant for it: a token in the environment would make it report to its makers. */
const forgetReporting = () => {
  for (const name of Object.keys(process.env)) {
    if (/^(HIVE_(?!ROUTER_RUNTIME$)|APOLLO_|OTEL_|OPENTELEMETRY)/.test(name)) delete process.env[name]
  }
}

const untilReady = async () => {
  const deadline = Date.now() + READY_WITHIN_MS
  while (
    !(await fetch(`${address}/readiness`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`Hive Gateway is not ready at ${address}`)
    await new Promise(done => setTimeout(done, 50))
  }
}

if (!existsSync(PROGRAM)) {
  console.error('Hive Gateway is not installed: npm ci --ignore-scripts --prefix bench/hive')
  process.exit(1)
}
forgetReporting()
const config = join(import.meta.dirname, CONFIG)
process.argv.splice(2, Infinity, 'supergraph', '--host', '127.0.0.1', '--port', PORT, '--config-path', config)
await import(PROGRAM)
await untilReady()
console.log(`Hive Gateway is ready at ${address}`)
