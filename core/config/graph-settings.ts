/** Settings of the graph's limits, of agents, and of the record of what clients use of the schema. */
import { flag, integer, text } from './setting.ts'

export const LIMITS_AND_AGENTS = {
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
} as const
