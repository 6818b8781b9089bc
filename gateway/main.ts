/** `npm start`: everything in one process. */
import { prepareDemo } from '../prisma/demo/seed.ts'
import { onDatabase, runProcess } from '../subgraphs/shared/process.ts'
import { createAllInOne } from './all-in-one.ts'
import { banner } from './banner.ts'

await runProcess({ serve: onDatabase(app => createAllInOne(app), prepareDemo), banner })
