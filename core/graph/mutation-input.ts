/** A mutation passes the steps of the REST operation it stands for: role, body schema. */

import type { Caller } from '../access/caller.ts'
import { requireRole } from '../access/roles.ts'
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts'
import { checkOf } from '../contract/validation.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import { toRestBody } from './rest-body.ts'

/** The REST body that an input stands for, and what the schema refuses of it (`RestRequest` has the same two). */
export interface ValidatedInput<Body> {
  readonly body: Body
  readonly shape: ServiceError | undefined
}

/** Turns an input into the REST body. @throws ServiceError as REST does before it looks at a body. */
export type ValidateInput<Body> = (caller: Caller, input: unknown) => ValidatedInput<Body>

/** Makes the validation of one mutation's input, after the operation of the contract that it stands for. */
export function createInputValidator<Body>(
  document: OpenApiDocument,
  operationId: string,
): ValidateInput<Body> {
  const operation = operationsOf(document).find(candidate => candidate.operationId === operationId)!
  const check = checkOf(document, operation.body!)
  return ({ principal }, input) => {
    requireRole(principal, operation.roles, operationId)
    const body = toRestBody(input)
    const shape = check(body)
    return { body: body as Body, shape }
  }
}
