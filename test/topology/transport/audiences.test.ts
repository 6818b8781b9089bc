/** Work that requests share is shared among those who may be told the same, whatever their variables are called. */
import { auditAudiences } from './audiences.ts'

auditAudiences({ way: 'compiled', names: ['representations'] })
