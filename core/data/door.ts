/**
 * The lock of an embedded database's folder, and the door to the process that has it: a socket of the operating system's, which
 * is freed with its process even after kill -9. By it the command line asks a running server for a backup. Only the user of
 * the server can open it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SetupError } from '../errors/catalogue.ts'

/** Thrown when another process has the folder open. */
export class InUseError extends SetupError {
  constructor(dir: string) {
    super(
      `The embedded database in ${dir} is in use by another process, and serves one at a time. ` +
        'Stop that process first, name another DATA_DIR, or use PostgreSQL (DATABASE_URL).',
    )
    this.name = 'InUseError'
  }
}

/** Makes a copy of the database: a tar archive of its folder. */
export type Dump = () => Promise<Buffer>

/** The word by which a backup is asked for. */
const BACKUP = 'backup'
/** Longest wait for the word: what else connects only looks whether the folder is in use. */
const WORD_MS = 2_000
/** Longest silence while a backup is made and sent. */
const SILENCE_MS = 60_000

/** Longest path of a socket that every system takes, in bytes. */
const LONGEST_PATH = 100
/** Failures of a file system that has no sockets. */
const NO_SOCKETS = ['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']

/**
 * The sockets of a folder, all of which its process holds. The one in the folder itself is the same for every process, also
 * where a service has a temporary folder of its own or finds the folder by another path. The other one is where the path is
 * too long or the file system has no sockets, and keeps earlier versions out.
 */
const socketPaths = (dir: string): string[] => {
  const hash = createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return [`\\\\.\\pipe\\partner-graph-${hash}`]
  const shared = join(tmpdir(), `partner-graph-${hash}.sock`)
  const own = join(existsSync(dir) ? realpathSync(dir) : resolve(dir), 'server.sock')
  return Buffer.byteLength(own) > LONGEST_PATH ? [shared] : [own, shared]
}

/** A lock that is held. */
export interface FolderLock {
  /** Answers from now on to those that ask for a backup. */
  serve(dump: Dump): void
  release(): void
}

/** Sends the archive after its length, so that one that was cut off is not taken for whole. */
const answer = async (socket: Socket, dump: Dump | undefined): Promise<void> => {
  socket.setTimeout(WORD_MS, () => socket.destroy())
  const [word] = (await once(socket, 'data')) as [Buffer]
  if (String(word).trim() !== BACKUP || dump === undefined) return void socket.destroy()
  socket.setTimeout(SILENCE_MS)
  try {
    const archive = await dump()
    socket.write(`${archive.length}\n`)
    socket.end(archive)
  } catch (error) {
    socket.end(`error ${(error as Error).message}\n`)
  }
}

const listen = (path: string, onSocket: (socket: Socket) => void): Promise<Server> =>
  new Promise((done, fail) => {
    const server = createServer(onSocket)
    server.once('error', fail).listen(path, () => done(server.unref()))
  })

const isListening = (path: string): Promise<boolean> =>
  new Promise(done => {
    const socket = createConnection(path, () => done(true))
    socket.on('connect', () => socket.destroy()).on('error', () => done(false))
  })

/** Takes one socket of a folder; undefined where its file system has none. @throws InUseError. */
const take = async (
  dir: string,
  path: string,
  onSocket: (socket: Socket) => void,
): Promise<Server | undefined> => {
  try {
    return await listen(path, onSocket)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (NO_SOCKETS.includes(code)) return undefined
    if (code !== 'EADDRINUSE') throw error
    if (await isListening(path)) throw new InUseError(dir)
    // Left by a process that was killed.
    rmSync(path, { force: true })
    return listen(path, onSocket)
  }
}

/**
 * Takes the folder, which exists, for this process.
 * @throws InUseError when another live process holds it.
 */
export async function lockDataDir(dir: string): Promise<FolderLock> {
  let dump: Dump | undefined
  const onSocket = (socket: Socket) => {
    socket.on('error', () => undefined)
    answer(socket, dump).catch(() => socket.destroy())
  }
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  try {
    for (const path of socketPaths(dir)) {
      const server = await take(dir, path, onSocket)
      if (server) servers.push(server)
    }
  } catch (error) {
    release()
    throw error
  }
  return {
    serve(given) {
      dump = given
    },
    release,
  }
}

/** Asks the process that has this folder for a backup; undefined where none has it. @throws Error where it fails to make one. */
export async function askForBackup(dir: string): Promise<Buffer | undefined> {
  const listening = await Promise.all(
    socketPaths(dir).map(async path => ((await isListening(path)) ? [path] : [])),
  )
  const [path] = listening.flat()
  if (path === undefined) return undefined
  const socket = createConnection(path)
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('The server does not answer')))
  socket.write(`${BACKUP}\n`)
  const chunks = await socket.toArray()
  const all = Buffer.concat(chunks)
  const end = all.indexOf('\n')
  const head = all.subarray(0, end).toString()
  const archive = all.subarray(end + 1)
  if (head.startsWith('error ')) throw new Error(`The server could not make a backup: ${head.slice(6)}`)
  if (end < 0 || archive.length !== Number(head))
    throw new Error('The backup was cut off: see whether the server still runs, and repeat this')
  return archive
}
