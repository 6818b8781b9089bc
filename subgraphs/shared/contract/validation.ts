/** Request bodies against the contract's schemas: unknown fields dropped, nothing coerced, faults named by path. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { invalid, type ServiceError } from '../errors/catalogue.ts'
import { isStorable, textsIn, UNSTORABLE } from '../values/text.ts'

const createAjv = () => {
  const ajv = new Ajv2020({ removeAdditional: 'all', coerceTypes: false, useDefaults: false, strict: false })
  formats.default(ajv)
  return ajv
}

/** `/paymentInfo/amountDetails/0/amount` as a client's engineer would write it: `paymentInfo.amountDetails[0].amount`. */
const toPath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What the validator says of a fault, as far as a sentence uses it. */
interface Params {
  type: string | string[]
  allowedValues: unknown[]
  limit: number
  format: string
}

/** What to say for each JSON Schema keyword; the rest falls back to the validator's own words. */
const SENTENCES: Record<string, (params: Params) => string> = {
  type: ({ type }) => `must be of type ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  maxLength: ({ limit }) => `must not be longer than ${plural(limit, 'character')}`,
  minLength: ({ limit }) => `must have at least ${plural(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${plural(limit, 'item')}`,
  maxItems: ({ limit }) => `must not have more than ${plural(limit, 'item')}`,
  format: ({ format }) => `must be a ${format} such as ${EXAMPLES[format] ?? 'the contract shows'}`,
  minimum: ({ limit }) => `must not be less than ${limit}`,
  maximum: ({ limit }) => `must not be greater than ${limit}`,
}

const EXAMPLES: Record<string, string> = { 'date-time': '2026-01-31T08:00:00.000+04:00', date: '2026-01-31' }

const toSentence = ({ keyword, instancePath, params, message }: ErrorObject): string => {
  const path = toPath(instancePath)
  if (keyword === 'required') return `${path ? `${path}.` : ''}${params['missingProperty']} is required`
  const sentence = SENTENCES[keyword]?.(params as Params) ?? message
  return `${path || 'the request body'} ${sentence}`
}

/** 400 INVALID_ARGUMENT for the first fault the validator met. */
const refusalOf = ([first]: ErrorObject[]): ServiceError => invalid(toSentence(first!))

/** 400 for the first text that no database can hold. */
const unstorable = (value: object): ServiceError | undefined => {
  for (const [path, text] of textsIn(value)) if (!isStorable(text)) return invalid(`${path} ${UNSTORABLE}`)
  return undefined
}

/** 400 for a body that is absent, or no object. */
export const missingBody = (): ServiceError =>
  invalid('the request body must be a JSON object (content-type: application/json)')

/** A validator for one schema: returns the fault, or undefined; drops unknown fields from the value. */
export type Check = (value: unknown) => ServiceError | undefined

/** Makes validators that share one compiler. */
export function createValidation(): (schema: object) => Check {
  const ajv = createAjv()
  return schema => {
    const validate = ajv.compile(schema)
    return value => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return missingBody()
      return validate(value) ? unstorable(value) : refusalOf(validate.errors!)
    }
  }
}
