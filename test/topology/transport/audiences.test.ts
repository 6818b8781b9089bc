/** Work that requests share is shared among clients that may get the same result, whatever their variables are called. */
import { auditAudiences } from './audiences.ts'

auditAudiences({ way: 'compiled', names: ['representations'] })
