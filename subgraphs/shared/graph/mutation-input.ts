/** A mutation passes the steps of the REST operation it stands for: role, body schema. */

import type { Caller } from '../access/caller.ts'
import { requireRole } from '../access/roles.ts'
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts'
import { checkOf } from '../contract/validation.ts'
import { toRestBody } from './rest-body.ts'

/** Turns an input into the validated REST body, or throws what REST would respond with. */
export type ValidateInput<Body> = (caller: Caller, input: unknown) => Body

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
    const fault = check(body)
    if (fault) throw fault
    return body as Body
  }
}
