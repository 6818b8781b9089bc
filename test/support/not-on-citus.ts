/** Tests that cannot run on Citus, by what they need. docs/scaling.md says the same to operators. */
import { ON_CITUS } from './postgres.ts'

const REASONS = {
  'plans and statistics of one server':
    'the coordinator plans again for each execution, and the rows that a statement reads are counted on their node',
  'a view that reads what its reader may not':
    'the node of a table asks for the rights of the role that reads, not for those of the owner of the view',
} as const

/** Whether the tests run on Citus, where there is no such thing. */
export const notOnCitus = (what: keyof typeof REASONS): boolean => ON_CITUS && what in REASONS
