/** `clients keys <id>`: the public keys by which a client may authenticate in place of its secret. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { setClientKeys } from '#core/access/client-keys.ts'
import { administrator } from '#core/audit/acts.ts'
import { notFound, SetupError } from '#core/errors/catalogue.ts'
import { asOptions, JSON_FLAG, type JsonOption } from './client-options.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

interface KeysOptions extends JsonOption {
  readonly jwks?: string
  readonly jwksUri?: string
  readonly none?: boolean
}

const readPem = (text: string) => {
  if (text.includes('PRIVATE KEY'))
    throw new SetupError('--jwks must name a file with public keys: a private key stays with its client')
  return { keys: [createPublicKey(text).export({ format: 'jwk' })] }
}

/** Reads a file with a JWK set, one JWK, or a public key as PEM. @throws SetupError for any other. */
const readKeys = (file: string): unknown => {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN')) return readPem(text)
    const value = JSON.parse(text) as object
    return 'kty' in value ? { keys: [value] } : value
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(
      `--jwks must name a file with a JWK set, a JWK or a PEM: ${(error as Error).message}`,
    )
  }
}

interface Shown {
  readonly jwks: unknown
  readonly jwksUri: string | null
}

const textOf = (id: string, { jwks, jwksUri }: Shown): string => {
  if (jwksUri !== null) return `${id}: keys at ${jwksUri}`
  const keys = (jwks as { keys?: { kid: string; kty: string }[] } | null)?.keys ?? []
  return keys.length === 0
    ? `${id}: no keys, it authenticates by its secret`
    : keys.map(({ kid, kty }) => `${id}: ${kty} ${kid}`).join('\n')
}

const keys = async (id: string, { jwks, jwksUri, none, json }: KeysOptions) => {
  const shown = await withDatabase(async ({ db }, { webhookAllow }): Promise<Shown> => {
    if (jwks === undefined && jwksUri === undefined && !none) {
      const client = await db.client.findUnique({ where: { id }, select: { jwks: true, jwksUri: true } })
      if (!client) throw notFound(`Client ${id}`)
      return client
    }
    const given = { jwks: jwks === undefined ? undefined : readKeys(jwks), jwksUri }
    return setClientKeys(db, id, given, { allow: webhookAllow, by: administrator() }).catch(asOptions)
  })
  printResult(json, { id, ...shown }, () => textOf(id, shown))
}

/** Adds the command to the group. */
export function addKeysCommand(clients: Command): void {
  clients
    .command('keys <id>')
    .description('show its public keys, or replace them; its secret stays good')
    .addOption(new Option('--jwks <file>', 'a JWK set, a JWK or a PEM').conflicts(['jwksUri', 'none']))
    .addOption(new Option('--jwks-uri <address>', 'where it publishes them').conflicts('none'))
    .option('--none', 'take them away')
    .option(...JSON_FLAG)
    .action(keys)
}
