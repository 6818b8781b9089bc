/** `npm start`: everything in one process. */
import { prepareDemo } from '../prisma/demo/seed.ts'
import { runProcess } from '../subgraphs/shared/process.ts'
import { createAllInOne } from './all-in-one.ts'
import { banner } from './banner.ts'

await runProcess({ create: createAllInOne, seed: prepareDemo, banner })
