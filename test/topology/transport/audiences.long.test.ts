/** The same both ways, by every name that plans, transports or objects of JavaScript have for something of their own. */
import { auditAudiences, writtenDown } from './audiences.ts'

const NAMES = [
  'representations',
  'partnerGraphAfter',
  'representationsOfClient',
  'after',
  'query',
  'variables',
  'operationName',
  'constructor',
  '__proto__',
  '_',
]

auditAudiences({ way: 'compiled', names: NAMES, operations: writtenDown })
auditAudiences({ way: 'by Apollo alone', env: { COMPILED: '0' }, names: NAMES })
