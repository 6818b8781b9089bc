/** A mutation passes the steps of the REST operation it stands for: role, bound phone number, body schema. */
import { fillPhoneNumber } from '../access/phone-context.ts'
import { requireRole } from '../access/roles.ts'
import type { Caller } from '../caller.ts'
import { type OpenApiDocument, operationsOf } from '../http/contract.ts'
import { createValidation } from '../http/validation.ts'
import { toRestBody } from './input.ts'

/** Turns an input into the checked REST body, or throws what REST would have answered. */
export type Door<Body> = (caller: Caller, input: unknown) => Body

interface RequestBodies {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>
  >
}

/** A schema that refers to the document's components, self-contained for the validator. */
const bodySchema = (document: OpenApiDocument, path: string, method: string): object => {
  const { requestBody } = (document as unknown as RequestBodies).paths[path]![method.toLowerCase()]!
  const { $ref } = requestBody!.content['application/json']!.schema
  return { $ref, components: document.components }
}

/** The door to one operation of a service's contract. */
export function openDoor<Body>(document: OpenApiDocument, operationId: string): Door<Body> {
  const operation = operationsOf(document).find(candidate => candidate.operationId === operationId)!
  const check = createValidation()(bodySchema(document, operation.path, operation.method))
  return ({ principal }, input) => {
    requireRole(principal, operation.roles, operationId)
    const body = toRestBody(input)
    if (operation.phoneNumber) fillPhoneNumber(principal, body, operation.phoneNumber)
    const fault = check(body)
    if (fault) throw fault
    return body as Body
  }
}
