/** Request bodies against the contract's schemas: unknown fields dropped, nothing coerced, every fault named by path, in words for a client's engineer. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { invalid, invalidField, type Limit, type ServiceError } from '../errors/catalogue.ts'
import type { Reason } from '../errors/reasons.ts'
import { isObject } from '../values/json.ts'
import { isStorable, shown, UNSTORABLE } from '../values/text.ts'
import { isDateTime } from '../values/time.ts'
import { type OpenApiDocument, resolveReferences } from './openapi.ts'
import { putStandIns, type Shape, ShapeError, toPath } from './shape.ts'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The validator's parameters of a fault, as far as a sentence uses them. */
interface Params {
  type: string | string[]
  allowedValues: unknown[]
  limit: number
  format: string
}

/** Texts or numbers of a format, as people know them. */
const FORMATS: Record<string, string> = {
  'date-time': 'a date-time such as 2026-01-31T08:00:00.000+04:00',
  date: 'a date such as 2026-01-31',
  uuid: 'a UUID such as 0198c0de-0000-7000-8000-000000000000',
  int32: 'a whole number from -2147483648 to 2147483647',
}

/** The reason and the sentence for each JSON Schema keyword; the rest falls back to the validator's own words. */
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
    ({ format }) => `must be ${FORMATS[format] ?? `a ${format} such as the contract shows`}`,
  ],
  minimum: ['TOO_SMALL', ({ limit }) => `must not be less than ${limit}`],
  maximum: ['TOO_GREAT', ({ limit }) => `must not be greater than ${limit}`],
  storable: ['BAD_CHARACTERS', () => UNSTORABLE],
}

/** Bounds of a text's length in the schema of a fault. */
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

/** Makes the 400 INVALID_ARGUMENT for one fault of the validator. */
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

/** The keyword by which texts are checked that no database can hold. */
const STORABLE = 'storable'

/**
 * Most items of a list that are validated: far more than the contract allows. Longer lists were refused when all faults
 * are looked for.
 */
const MOST_ITEMS = 101

const createAjv = (allErrors: boolean) => {
  const ajv = new Ajv2020({
    removeAdditional: 'all',
    coerceTypes: false,
    useDefaults: false,
    strict: false,
    // Compiling the schema of schemas takes longer than all of the contract's; `npm run check:openapi` holds the documents.
    validateSchema: false,
    allErrors,
    // Faults then know the value and its schema.
    verbose: allErrors,
  })
  formats.default(ajv)
  // The package's own takes a space for the T, and offsets without their colon or their minutes.
  ajv.addFormat('date-time', isDateTime)
  ajv.addKeyword({
    keyword: STORABLE,
    type: 'string',
    validate: (_: boolean, text: string) => isStorable(text),
    errors: false,
  })
  return ajv
}

/** Copies a schema with every text of it checked for what no database can hold. */
const withStorable = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withStorable)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, value]) => [name, withStorable(value)])
  const isText = 'type' in node && node.type === 'string'
  return { ...Object.fromEntries(entries), ...(isText && { [STORABLE]: true }) }
}

/** Cuts lists that are too long anyway, so that a body has no more faults than its schema has places. */
const cutLists = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) && value.length > MOST_ITEMS) value.length = MOST_ITEMS
  for (const part of Object.values(value)) cutLists(part)
}

/** Makes the 400 INVALID_ARGUMENT for a body that is absent, or no object. */
export const missingBody = (): ServiceError =>
  invalid('the request body must be a JSON object (content-type: application/json)')

/**
 * Validates by one schema: returns the refusal, or undefined; drops unknown fields from the value. A refused value gets
 * stand-ins for what is wrong (`ShapeError`), so that rules can check the rest.
 */
export type Check = (value: unknown) => ServiceError | undefined

type Validate = ReturnType<Ajv2020['compile']>

/** The document's name within a compiler. */
const CONTRACT = 'contract'

/** A compiler with the document's schemas, made when it is first needed. */
const createCompiler = (document: OpenApiDocument, allErrors: boolean) => {
  let compiler: Ajv2020 | undefined
  return (reference: string): Validate => {
    compiler ??= createAjv(allErrors).addSchema({ components: withStorable(document.components) }, CONTRACT)
    return compiler.getSchema(`${CONTRACT}${reference}`)!
  }
}

/**
 * Makes a check of two passes. The first ends with the first fault: only a body that has one, and is cut to what it
 * could have been, is searched for the rest.
 */
const createCheck = (firstFault: () => Validate, allFaults: () => Validate, schema: () => Shape): Check => {
  let isValid: Validate | undefined
  let findAll: Validate | undefined
  let shape: Shape | undefined
  return value => {
    if (!isObject(value)) return missingBody()
    isValid ??= firstFault()
    if (isValid(value)) return undefined
    cutLists(value)
    findAll ??= allFaults()
    findAll(value)
    const errors = (findAll.errors ?? isValid.errors)!
    const faults = errors.map(toFault)
    shape ??= schema()
    return new ShapeError(faults, putStandIns(value as object, shape, errors))
  }
}

/**
 * Resolves a schema of the document, with all that it refers to.
 * @throws Error when one is absent.
 */
export const shapeOf = (document: OpenApiDocument, reference: string): Shape =>
  resolveReferences(document, { $ref: reference }) as Shape

const createValidation = (document: OpenApiDocument): ((reference: string) => Check) => {
  const [first, all] = [createCompiler(document, false), createCompiler(document, true)]
  const checks = new Map<string, Check>()
  return reference => {
    const known = checks.get(reference)
    if (known) return known
    shapeOf(document, reference)
    const check = createCheck(
      () => first(reference),
      () => all(reference),
      () => shapeOf(document, reference),
    )
    checks.set(reference, check)
    return check
  }
}

const validations = new WeakMap<OpenApiDocument, ReturnType<typeof createValidation>>()

/**
 * Makes the check of bodies by a schema of the document, compiled with the first body, once for all interfaces.
 * @param reference e.g. `#/components/schemas/Payment`.
 * @throws Error when the document lacks that schema, or one that it refers to.
 */
export function checkOf(document: OpenApiDocument, reference: string): Check {
  const validation = validations.get(document) ?? createValidation(document)
  validations.set(document, validation)
  return validation(reference)
}
