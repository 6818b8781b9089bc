/**
 * Each start checks the contract documents against OpenAPI's own schema, which the library compiles anew for each of
 * them: half of what a start costs. Here it is compiled once a worker; each document is still checked.
 */
import { createRequire } from 'node:module'

interface MetaValidator {
  getAjvValidator(version: string): unknown
}

const glue = createRequire(import.meta.url).resolve('fastify-openapi-glue')
const path = createRequire(glue).resolve('@seriousme/openapi-schema-validator')
const { Validator }: { Validator: { prototype: MetaValidator } } = await import(path)

const compile = Validator.prototype.getAjvValidator
const compiled = new Map<string, unknown>()

Validator.prototype.getAjvValidator = function (version) {
  const validator = compiled.get(version) ?? compile.call(this, version)
  compiled.set(version, validator)
  return validator
}
