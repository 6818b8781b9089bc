/** The types that openapi-typescript makes of a document, and whether values fit them. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5'

const SCHEMA = join(import.meta.dirname, '../../schema')

/** It is written for the programming interface of TypeScript 5, which 7 does not have. */
const hooks = registerHooks({
  resolve: (name, context, next) =>
    next(
      name === 'typescript' && context.parentURL?.includes('openapi-typescript') ? 'typescript-5' : name,
      context,
    ),
})
const { default: openapiTS, astToString } = await import('openapi-typescript')
hooks.deregister()

/** The types of a service's document, at the generator's defaults. */
export const generateTypes = async (service: string): Promise<string> =>
  astToString(await openapiTS(pathToFileURL(join(SCHEMA, `${service}.openapi.yaml`))))

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
}

/** The compiler's faults of files that exist in memory alone, by their names. */
export function diagnose(files: Readonly<Record<string, string>>): string[] {
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  host.getSourceFile = (name, version) =>
    name in files ? ts.createSourceFile(name, files[name]!, version) : getSourceFile(name, version)
  host.fileExists = name => name in files || fileExists(name)
  const program = ts.createProgram(Object.keys(files), OPTIONS, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
