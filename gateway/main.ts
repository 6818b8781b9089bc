/** `npm start`: everything in one process. */

import { runProcess } from '#core/process.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { createAllInOne } from './all-in-one.ts'
import { banner } from './banner.ts'

const USAGE = `npm start

Serves everything in one process: the five services' REST paths, /graphql, /oauth2/accesstoken and the pages.`

await runProcess({ name: 'partner-graph', usage: USAGE, create: createAllInOne, seed: prepareDemo, banner })
