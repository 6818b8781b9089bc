/** `npm start`: everything in one process. */
import { onDatabase, runProcess } from '../subgraphs/shared/process.ts'
import { createAllInOne } from './all-in-one.ts'
import { greeting } from './greeting.ts'

await runProcess({ serve: onDatabase(app => createAllInOne(app)), greeting })
