/** `backup`, `restore` and `database copy`: the whole database, to a file, from a file, or to another database. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Command } from 'commander'
import { countKeyUse } from '#core/access/encrypt-anew.ts'
import { loadCipher, loadEncryptionKeys, placeKeyFile } from '#core/access/encryption-keys.ts'
import { checkEncryptionKey } from '#core/access/key-check.ts'
import { administrator, recordAct } from '#core/audit/acts.ts'
import { type Config, readConfig } from '#core/config/config.ts'
import { copyDatabase, isPostgresUrl, restoreArchive, verifyArchive } from '#core/data/copies.ts'
import { MEMORY, openDatabase } from '#core/data/db.ts'
import { askForBackup } from '#core/data/door.ts'
import { dumpArchive, hasDatabase, openDataDir } from '#core/data/embedded.ts'
import { CONFIRM } from '#core/data/outbound.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { JSON_FLAG, type JsonOption } from './client-options.ts'
import { printResult, progressBar } from './output.ts'

const PRIVATE = 0o600
const ON_POSTGRES =
  'it is for the embedded database, and DATABASE_URL is set: use pg_dump, or pg_basebackup with archived logs (docs/operating.md, "Backup")'

/** Reads the settings of an embedded database. @throws SetupError for any other. */
const readEmbedded = (command: string): Config => {
  const config = readConfig()
  if (config.databaseUrl !== undefined) throw new SetupError(`${command} cannot be used here: ${ON_POSTGRES}`)
  if (config.dataDir === MEMORY) throw new SetupError('DATA_DIR=memory: keeps nothing to back up')
  return config
}

/** Written beside its place and renamed into it, once it is on the disk: there is never half a backup. */
const writeWhole = async (file: string, content: Buffer): Promise<void> => {
  const part = `${file}.part`
  try {
    const handle = await open(part, 'w', PRIVATE)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw new SetupError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** A server that runs makes the archive itself; else it is made here. */
const makeArchive = async ({ dataDir }: Config): Promise<{ archive: Buffer; running: boolean }> => {
  if (!hasDatabase(dataDir)) throw new SetupError(`There is no database in ${dataDir}: name it by DATA_DIR`)
  const asked = await askForBackup(dataDir)
  if (asked) return { archive: asked, running: true }
  const { pglite, release } = await openDataDir(dataDir)
  return { archive: await dumpArchive(pglite).finally(release), running: false }
}

const backup = async (file: string, { json }: JsonOption) => {
  const config = readEmbedded('backup')
  const { archive, running } = await makeArchive(config)
  const held = await verifyArchive(archive)
  const content = await promisify(gzip)(archive)
  await writeWhole(file, content)
  const key = config.secretsKey === undefined ? `${config.dataDir}/secrets.key` : 'SECRETS_KEY'
  printResult(json, { file, bytes: content.length, running, ...held }, () =>
    [
      `${file}: ${held.clients} client(s), ${held.entries} entries of the timeline, ${content.length} bytes; opened and read for a check`,
      `Its secrets are read with ${key}, which is not in it: keep a copy of that apart.`,
    ].join('\n'),
  )
}

const readArchive = async (file: string): Promise<Buffer> => {
  const content = await readFile(file).catch(error => {
    throw new SetupError(`${file} cannot be read: ${error.code}`)
  })
  return promisify(gunzip)(content).catch(error => {
    throw new SetupError(`${file} is no backup, or was cut off: ${error.message}`)
  })
}

const restore = async (file: string, { json }: JsonOption) => {
  const config = readEmbedded('restore')
  const { dataDir } = config
  if (hasDatabase(dataDir))
    throw new SetupError(
      `There is a database in ${dataDir} already: move ${dataDir}/pglite away, or name another DATA_DIR`,
    )
  const archive = await readArchive(file)
  await restoreArchive(dataDir, archive, async ({ db }) => {
    await checkEncryptionKey(db, loadCipher(config)).catch(error => {
      throw new SetupError(
        `${error.message}: put it into ${dataDir}/secrets.key in place of the file there, or set SECRETS_KEY`,
      )
    })
  })
  printResult(
    json,
    { file, dataDir },
    () =>
      `${file} is restored to ${dataDir}. A server on it sends no webhooks, charging calls or SMS until you agree: ${CONFIRM}`,
  )
}

interface CopyOptions extends JsonOption {
  to: string
}

/** The configuration of a copy, with the key of the original. */
const configOfCopy = (config: Config, to: string): Config => {
  const { key } = loadEncryptionKeys(config)
  const secretsKey = key.toString('base64')
  const databaseUrl = isPostgresUrl(to) ? to : undefined
  // An address beside the original's is the original's too.
  const place = { databaseUrl, databaseDirectUrl: databaseUrl, databaseReplicaUrl: undefined }
  return { ...config, ...place, ...(databaseUrl === undefined && { dataDir: to }), secretsKey }
}

/** Reads every secret of the copy, and records there that it was made. */
const completeCopy = async (config: Config, copied: object) => {
  const database = await openDatabase(config)
  try {
    const uses = await countKeyUse(database.db, loadEncryptionKeys(config))
    await recordAct(database.db, { actor: administrator(), action: 'DATABASE_COPIED', details: copied })
    return uses.reduce((sum, { current, other }) => sum + current + other, 0)
  } finally {
    await database.close()
  }
}

const copy = async ({ to, json }: CopyOptions) => {
  const config = readConfig()
  if (config.databaseUrl === undefined && !hasDatabase(config.dataDir))
    throw new SetupError(`There is no database in ${config.dataDir}: name it by DATA_DIR or DATABASE_URL`)
  using bar = progressBar()
  // Before anything is copied: the folder may hold the key of another database.
  if (!isPostgresUrl(to)) placeKeyFile(to, loadEncryptionKeys(config).key)
  const copied = await copyDatabase(config, to, (done, total) => bar.show({ step: 'copying', done, total }))
  const target = configOfCopy(config, to)
  const secrets = await completeCopy(target, copied)
  const keyText =
    config.secretsKey === undefined
      ? `SECRETS_KEY_FILE=${config.dataDir}/secrets.key`
      : 'the same SECRETS_KEY, or the file secrets.key that was put there'
  printResult(json, { ...copied, secrets }, () =>
    [
      `${copied.rows} rows of ${copied.tables} tables and ${copied.sequences} sequences are copied, compared and equal; ${secrets} secret(s) can be read`,
      `Start servers on it with ${keyText}, and none on the original any more.`,
      `They send no webhooks, charging calls or SMS until you agree: ${CONFIRM}`,
    ].join('\n'),
  )
}

/** Adds the commands to the program. */
export function addDatabaseCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write the embedded database to a file, while the server runs or not')
    .option(...JSON_FLAG)
    .action(backup)
  program
    .command('restore <file>')
    .description('make the embedded database in DATA_DIR of a backup')
    .option(...JSON_FLAG)
    .action(restore)
  program
    .command('database')
    .description('the whole database')
    .command('copy')
    .description(
      'copy everything to an empty PostgreSQL database, or to the folder of an embedded one, and compare',
    )
    .requiredOption('--to <url|folder>', 'postgresql://…, or a folder without a database')
    .addHelpText('after', '\nStop the servers first: what they take while it is copied is not in the copy.')
    .option(...JSON_FLAG)
    .action(copy)
}
