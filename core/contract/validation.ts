/** Request bodies against the contract's schemas: unknown fields dropped, nothing coerced, every fault named by path. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { invalid, type ServiceError } from '../errors/catalogue.ts'
import { once } from '../values/once.ts'
import { isStorable } from '../values/text.ts'
import { isDateTime } from '../values/time.ts'
import type { OpenApiDocument } from './openapi.ts'
import { resolveReferences } from './response-schemas.ts'
import { toFault } from './schema-faults.ts'
import { putStandIns, type Shape, ShapeError } from './shape.ts'

/** The keyword by which texts are checked that no database can hold. */
const STORABLE = 'storable'

/** Far more than the contract lets any list have; what is beyond has been refused when all faults are looked for. */
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

/** The schema with every text of it checked for what no database can hold. */
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

/** 400 INVALID_ARGUMENT for a body that is absent, or no object. */
export const missingBody = (): ServiceError =>
  invalid('the request body must be a JSON object (content-type: application/json)')

/**
 * A validator for one schema: returns what is refused, or undefined; drops unknown fields from the value. In one that is
 * refused something stands in for what is (`ShapeError`), so that rules can be asked about the rest.
 */
export type Check = (value: unknown) => ServiceError | undefined

type Validate = ReturnType<Ajv2020['compile']>

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document's name within a compiler. */
const CONTRACT = 'contract'

/** A compiler with the document's schemas, made when it is first needed. */
const createCompiler = (document: OpenApiDocument, allErrors: boolean) => {
  const open = once(() => {
    const components = withStorable(document.components)
    return createAjv(allErrors).addSchema({ components }, CONTRACT)
  })
  return (reference: string): Validate => open().getSchema(`${CONTRACT}${reference}`)!
}

/**
 * The first pass ends with the first fault: only a body that has one, and is cut to what it could have been, is looked
 * through for the rest.
 */
const createCheck = (firstFault: () => Validate, allFaults: () => Validate, schema: () => Shape): Check => {
  return value => {
    if (!isObject(value)) return missingBody()
    const isValid = firstFault()
    if (isValid(value)) return undefined
    cutLists(value)
    const findAll = allFaults()
    findAll(value)
    const errors = (findAll.errors ?? isValid.errors)!
    const faults = errors.map(toFault)
    return new ShapeError(faults, putStandIns(value as object, schema(), errors))
  }
}

/** A schema of the document, with all that it refers to. @throws Error when one is not there. */
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
      once(() => first(reference)),
      once(() => all(reference)),
      once(() => shapeOf(document, reference)),
    )
    checks.set(reference, check)
    return check
  }
}

const validations = new WeakMap<OpenApiDocument, ReturnType<typeof createValidation>>()

/**
 * The check of bodies by a schema of the document, compiled with the first body, once for all who post it.
 * @param reference e.g. `#/components/schemas/Payment`.
 * @throws Error when the document lacks that schema, or one that it refers to.
 */
export function checkOf(document: OpenApiDocument, reference: string): Check {
  const validation = validations.get(document) ?? createValidation(document)
  validations.set(document, validation)
  return validation(reference)
}
