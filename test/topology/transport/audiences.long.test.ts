/** The same both ways, by every name that plans, transports or objects of JavaScript have for something of their own. */
import { someOf } from '#test/support/cases.ts'
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

auditAudiences({ way: 'compiled', names: NAMES, operations: schema => someOf(writtenDown(schema)) })
auditAudiences({ way: 'by Apollo alone', env: { COMPILED: '0' }, names: NAMES })
