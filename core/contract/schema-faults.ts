/** What a validator says of a body, in words for a client's engineer: the path of the field, and what is wrong with it. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { invalidField, type Limit, type ServiceError } from '../errors/catalogue.ts'
import type { Reason } from '../errors/reasons.ts'
import { shown, UNSTORABLE } from '../values/text.ts'
import { toPath } from './shape.ts'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What the validator says of a fault, as far as a sentence uses it. */
interface Params {
  type: string | string[]
  allowedValues: unknown[]
  limit: number
  format: string
}

const EXAMPLES: Record<string, string> = { 'date-time': '2026-01-31T08:00:00.000+04:00', date: '2026-01-31' }

/** What to say for each JSON Schema keyword; the rest falls back to the validator's own words. */
const SENTENCES: Record<
  string,
  readonly [reason: Reason, sentence: (params: Params, value: unknown) => string]
> = {
  type: ['WRONG_TYPE', ({ type }) => `must be of type ${[type].flat().join(' or ')}`],
  enum: [
    'UNKNOWN_VALUE',
    ({ allowedValues }, value) => `must be one of ${allowedValues.join(', ')}, not ${shown(value)}`,
  ],
  maxLength: ['TOO_LONG', ({ limit }) => `must not be longer than ${plural(limit, 'character')}`],
  minLength: ['TOO_SHORT', ({ limit }) => `must have at least ${plural(limit, 'character')}`],
  minItems: ['TOO_FEW', ({ limit }) => `must have at least ${plural(limit, 'item')}`],
  maxItems: ['TOO_MANY', ({ limit }) => `must not have more than ${plural(limit, 'item')}`],
  format: [
    'BAD_FORMAT',
    ({ format }) => `must be a ${format} such as ${EXAMPLES[format] ?? 'the contract shows'}`,
  ],
  minimum: ['TOO_SMALL', ({ limit }) => `must not be less than ${limit}`],
  maximum: ['TOO_GREAT', ({ limit }) => `must not be greater than ${limit}`],
  storable: ['BAD_CHARACTERS', () => UNSTORABLE],
}

/** How long a text may be, in the schema of which one fault was met. */
interface Lengths {
  readonly minLength?: number
  readonly maxLength?: number
}

const LIMITS: Record<string, (params: Params, schema: Lengths) => Limit> = {
  enum: ({ allowedValues }) => ({ allowed: allowedValues }),
  maxLength: ({ limit }, { minLength }) => ({
    ...(minLength !== undefined && { min: minLength }),
    max: limit,
    length: limit,
  }),
  minLength: ({ limit }, { maxLength }) => ({
    min: limit,
    ...(maxLength !== undefined && { max: maxLength, length: maxLength }),
  }),
  minItems: ({ limit }) => ({ min: limit }),
  maxItems: ({ limit }) => ({ max: limit }),
  minimum: ({ limit }) => ({ min: limit }),
  maximum: ({ limit }) => ({ max: limit }),
}

/** 400 INVALID_ARGUMENT for one fault that the validator met. */
export const toFault = ({
  keyword,
  instancePath,
  params,
  message,
  data,
  parentSchema,
}: ErrorObject): ServiceError => {
  const path = toPath(instancePath)
  if (keyword === 'required') {
    const missing = String(params['missingProperty'])
    return invalidField(path ? `${path}.${missing}` : missing, 'REQUIRED', 'is required')
  }
  const [reason, sentence] = SENTENCES[keyword] ?? ['BAD_FORMAT', () => message ?? 'is not valid']
  return invalidField(path || 'the request body', reason, sentence(params as Params, data), {
    limit: LIMITS[keyword]?.(params as Params, (parentSchema ?? {}) as Lengths),
  })
}
