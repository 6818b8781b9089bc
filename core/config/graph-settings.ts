/** Settings of the graph: its limits, agents, streams, trusted documents, the supergraph and its subgraphs. */
import { flag, integer, text } from './setting.ts'

export const GRAPH_SETTINGS = {
  MAX_OPERATION_COST: integer(
    50_000,
    [1, 10_000_000],
    'The most that one operation may come to, in fields weighed as the schema says ([portal.md](portal.md#cost-and-explanation)). More is refused before anything is fetched.',
  ),
  MCP: flag(
    true,
    '0: no `/mcp`, at which agents call trusted documents and examples as tools ([agents.md](agents.md)).',
  ),
  MCP_MUTATIONS: text(
    'Mutations that agents may call, comma-separated by the names of their operations: `CreatePayment`, or the name of a trusted document ([agents.md](agents.md#changes)).',
    undefined,
    'unset: none; agents only read',
  ),
  SCHEMA_USE_DAYS: integer(
    90,
    [0, 3_650],
    'Days that is kept what each client uses of the schema of the graph, hour by hour ([operating.md](operating.md#changes-of-the-schema)); 0 keeps nothing.',
  ),
  INTROSPECTION: flag(
    true,
    '0 keeps the schema of the graph from clients: no introspection, no `/schema.graphql`, no page `/graphql`, and no names of types in messages.',
  ),
  COMPILED: flag(true, "0: every operation goes Apollo's own way instead of being compiled once."),
  MAX_STREAMS: integer(
    20_000,
    [1, 1_000_000],
    'WebSocket connections and event streams of authenticated clients open at once; more are refused with 503.',
  ),
  SUBSCRIPTION_BUFFER: integer(
    1_000,
    [1, 100_000],
    'Events that wait for a slow subscriber before it is ended; at most 4 MiB of them.',
  ),
  TRUSTED_DOCUMENTS: text(
    "A manifest of operations that clients may name by an id, as Apollo's, Relay's and codegen's tools write it, or a folder of them and of `*.graphql` files ([portal.md](portal.md#trusted-documents)).",
  ),
  TRUSTED_ONLY: flag(
    false,
    '1: the graph executes those operations and no others, and as with `INTROSPECTION=0` nothing shows the schema.',
  ),
  SUPERGRAPH: text(
    'The file or http(s) address of the supergraph; a new one found there is served without a restart.',
    undefined,
    '`schema/supergraph.graphql`',
  ),
  SUPERGRAPH_POLL_SECONDS: integer(
    10,
    [1, 86_400],
    'Seconds between two requests for a new supergraph at its address.',
  ),
  SUBGRAPH_URLS: text(
    'The addresses of subgraphs that run as processes of their own: `name=url`, comma-separated: of the process, or of a balancer before several ([scaling.md](scaling.md)).',
    undefined,
    'the addresses in the supergraph',
  ),
} as const
