/** `keys list|status|rotate`: the keys that sign tokens and webhooks, and the key that encrypts secrets. */
import type { Command } from 'commander'
import { createCipher } from '#core/access/cipher.ts'
import { countKeyUse, encryptAnew, type KeyUse } from '#core/access/encrypt-anew.ts'
import {
  changeKeyFile,
  type EncryptionKeys,
  loadCipher,
  loadEncryptionKeys,
} from '#core/access/encryption-keys.ts'
import { checkEncryptionKey, claimEncryptionKey } from '#core/access/key-check.ts'
import {
  listSigningKeys,
  type PublicSigningKey,
  rotateSigningKey,
  signingAmong,
} from '#core/access/signing-keys.ts'
import { type ListedWebhookKey, listWebhookKeys, rotateWebhookKey } from '#core/access/webhook-keys.ts'
import { administrator, recordAct } from '#core/audit/acts.ts'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/db.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { JSON_FLAG, type JsonOption } from './client-options.ts'
import { withDatabase } from './open.ts'
import { printResult, progressBar, table } from './output.ts'

const DETAILS = `
Tokens: rotate makes a key that is published now and signs in ten minutes, when every server knows it; the one before
verifies until the last token that it signed has ended, a day later.

Webhooks (v1a): rotate --webhooks makes a key that is published now and signs in ten minutes; the one before signs along
for a day, and stays published for a week after.

SECRETS_KEY, without a lost request on any number of servers:
  1. Start each server anew with SECRETS_KEY_ALSO=<new key>, SECRETS_KEY as it was: all can read both from now on.
  2. Start each anew with SECRETS_KEY=<new key> SECRETS_KEY_ALSO=<old key>: all encrypt with the new one.
  3. With the same settings: npm run cli -- keys rotate --secrets. It can be stopped, and goes on when it is repeated.
  4. Start each anew without SECRETS_KEY_ALSO, and destroy the old key once no backup needs it.
Where the key is in DATA_DIR (embedded database without SECRETS_KEY), stop the server, and do step 3 alone.`

type KeyState = 'announced' | 'signing' | 'verifying' | 'ended'

const stateOf = (keys: readonly PublicSigningKey[], now: number) => {
  const signing = signingAmong(keys, now)
  return (key: PublicSigningKey): KeyState => {
    if (key.endsAt !== null && key.endsAt.getTime() <= now) return 'ended'
    if (key === signing) return 'signing'
    return key.signsFrom.getTime() > now ? 'announced' : 'verifying'
  }
}

const withStates = (keys: readonly PublicSigningKey[]) => {
  const state = keys.length > 0 ? stateOf(keys, Date.now()) : undefined
  return keys.map(key => ({ ...key, use: 'tokens', state: state!(key) }))
}

const stateOfWebhookKey = ({ signsFrom, signsUntil, endsAt }: ListedWebhookKey, now: number): KeyState => {
  if (endsAt !== null && endsAt.getTime() <= now) return 'ended'
  if (signsUntil !== null && signsUntil.getTime() <= now) return 'verifying'
  return signsFrom.getTime() > now ? 'announced' : 'signing'
}

/** Adds the state of each key of webhooks: keys sign together for a day after a rotation, each for receivers that know it. */
const webhookKeysWithStates = (keys: readonly ListedWebhookKey[]) =>
  keys.map(key => ({ ...key, use: 'webhooks', state: stateOfWebhookKey(key, Date.now()) }))

type KeyWithState = ReturnType<typeof withStates | typeof webhookKeysWithStates>[number]

const keyTable = (keys: readonly KeyWithState[]) =>
  keys.length === 0
    ? 'There is no signing key yet: the first server makes one.'
    : table(
        ['KEY', 'USE', 'STATE', 'SIGNS FROM', 'ENDS'],
        keys.map(({ kid, use, state, signsFrom, endsAt }) => [
          kid,
          use,
          state,
          signsFrom.toISOString(),
          endsAt?.toISOString() ?? '-',
        ]),
      )

const list = async ({ json }: JsonOption) => {
  const keys = await withDatabase(async ({ db }) => [
    ...withStates(await listSigningKeys(db)),
    ...webhookKeysWithStates(await listWebhookKeys(db)),
  ])
  printResult(json, keys, () => keyTable(keys))
}

const useTable = (uses: readonly KeyUse[]) =>
  table(
    ['TABLE', 'SECRETS_KEY', 'OTHER KEY', 'UNREADABLE'],
    uses.map(({ place, ...counts }) => [
      place,
      ...[counts.current, counts.other, counts.unreadable].map(String),
    ]),
  )

const status = async ({ json }: JsonOption) => {
  const uses = await withDatabase(({ db }, config) => countKeyUse(db, loadEncryptionKeys(config)))
  printResult(json, uses, () => useTable(uses))
}

const rotateSigning = ({ atOnce = false, webhooks = false, json }: RotateOptions) =>
  withDatabase(async ({ db }, config) => {
    const cipher = loadCipher(config)
    await claimEncryptionKey(db, cipher)
    const record = (tx: Parameters<typeof recordAct>[0], kid: string) =>
      recordAct(tx, {
        actor: administrator(),
        action: 'SIGNING_KEY_ROTATED',
        target: kid,
        details: { use: webhooks ? 'webhooks' : 'tokens', atOnce },
      })
    const keys = webhooks
      ? webhookKeysWithStates(await rotateWebhookKey(db, cipher, atOnce, record))
      : withStates(await rotateSigningKey(db, cipher, atOnce, record))
    printResult(json, keys, () => keyTable(keys))
  })

/** Keys of a change: in files for an embedded database that has its key there, else those of the settings. */
const keysOfChange = (config: Config): EncryptionKeys & { finish(): void } => {
  if (config.secretsKey === undefined) return changeKeyFile(config)
  if (config.secretsKeysAlso.length > 0) return { ...loadEncryptionKeys(config), finish: () => undefined }
  throw new SetupError(
    'SECRETS_KEY_ALSO must be the key that SECRETS_KEY takes the place of; see npm run cli -- keys --help',
  )
}

/** The new key must be checked before it encrypts anything: one of the two is that of the database. */
const changeSecrets = async ({ db }: Database, config: Config) => {
  const { key, others, finish } = keysOfChange(config)
  await checkEncryptionKey(db, createCipher(key, others))
  using bar = progressBar()
  const result = await encryptAnew(db, { key, others }, (done, total) =>
    bar.show({ step: 'encrypting', done, total }),
  )
  finish()
  const details = { changed: result.changed }
  await recordAct(db, { actor: administrator(), action: 'SECRETS_ENCRYPTED_ANEW', details })
  return result
}

const rotateSecrets = async ({ json }: RotateOptions) => {
  const { changed, uses } = await withDatabase(changeSecrets)
  const sum = (name: 'current' | 'unreadable') => uses.reduce((total, use) => total + use[name], 0)
  const result = { changed, current: sum('current'), unreadable: sum('unreadable') }
  const lost =
    result.unreadable > 0
      ? `\n${result.unreadable} could be read with no key before, and are left as they were (npm run cli -- doctor).`
      : ''
  printResult(
    json,
    result,
    () =>
      `${changed} row(s) encrypted anew; all ${result.current} secret(s) are read with SECRETS_KEY alone.${lost}`,
  )
}

interface RotateOptions extends JsonOption {
  secrets?: boolean
  webhooks?: boolean
  atOnce?: boolean
}

const rotate = (options: RotateOptions) => {
  if (options.secrets && options.webhooks)
    throw new SetupError('--secrets and --webhooks are two changes: make one after the other')
  return options.secrets ? rotateSecrets(options) : rotateSigning(options)
}

/** Adds the group to the program. */
export function addKeyCommands(program: Command): void {
  const group = program
    .command('keys')
    .description('the keys that sign tokens and webhooks, and the key that encrypts secrets')
    .addHelpText('after', DETAILS)
  group
    .command('list')
    .description('the keys that sign tokens, and those that sign webhooks')
    .option(...JSON_FLAG)
    .action(list)
  group
    .command('status')
    .description('how many secrets are read with SECRETS_KEY, with another key, with none')
    .option(...JSON_FLAG)
    .action(status)
  group
    .command('rotate')
    .description('make a new key to sign tokens with; with --secrets, encrypt all secrets with SECRETS_KEY')
    .option('--secrets', 'change the key that encrypts, not the one that signs')
    .option('--webhooks', 'make a new key to sign webhooks with, not one for tokens')
    .option('--at-once', 'for a key that was stolen: the others end now, with all tokens that they signed')
    .option(...JSON_FLAG)
    .action(rotate)
}
