/** Upkeep by an operator, one server after the other, while clients go on: another `SECRETS_KEY`, a later version and back. */
import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path'
import { makeLater, type Version } from '#test/soak/upgrade/versions.ts'
import { again } from '../stage/again.ts'
import { COMPILED_BEFORE, ROOT } from '../stage/building.ts'
import type { Process } from '../stage/process.ts'
import type { Stage } from '../stage/stage.ts'
import { command } from './command.ts'
import { type Fault, once } from './fault.ts'

/** More servers than these are renewed all at once, since a run is short. */
const ONE_BY_ONE = 2

/** Renews each server, the next when the one before serves again. */
const roll = async ({ servers }: Stage, act: (server: Process) => Promise<void>): Promise<void> => {
  if (servers.length > ONE_BY_ONE) return void (await Promise.all(servers.map(act)))
  for (const server of servers) await act(server)
}

/** Key under which servers of a stage encrypt. */
const keyOf = ({ place }: Stage): string => place['SECRETS_KEY']!

const step = async (stage: Stage, SECRETS_KEY: string, SECRETS_KEY_ALSO: string): Promise<void> => {
  const env = { SECRETS_KEY, SECRETS_KEY_ALSO }
  stage.set(env)
  await roll(stage, server => server.renew({ env }))
}

const rotateSecrets = (stage: Stage) => command(stage, 'cli/main.ts', ['keys', 'rotate', '--secrets'])

interface Change {
  readonly before: string
  readonly after: string
}

/** One server on an embedded database, which serves one process at a time, is stopped meanwhile. */
const changeKeyOfEmbedded = async (
  stage: Stage,
  { before, after }: Change,
  encryptAnew: () => Promise<void>,
): Promise<void> => {
  const env = { SECRETS_KEY: after, SECRETS_KEY_ALSO: before }
  stage.set(env)
  await stage.servers[0]!.renew({ env, meanwhile: encryptAnew })
}

/** Changes that a fault has stopped on the way. */
const unfinished = new WeakMap<Stage, Change>()

/**
 * Takes the four steps of docs/operating.md. A change that was stopped is begun again with the same keys, since a server reads
 * two keys and no third.
 * @param rotate encrypts anew what is stored; it is tried again where it fails, after a pause in milliseconds.
 */
export async function changeKey(stage: Stage, rotate = rotateSecrets, pauseMs?: number): Promise<void> {
  const change = unfinished.get(stage) ?? { before: keyOf(stage), after: randomBytes(32).toString('base64') }
  const { before, after } = change
  unfinished.set(stage, change)
  const encryptAnew = () => again(() => rotate(stage), pauseMs)
  if (stage.options.topology === 'embedded') await changeKeyOfEmbedded(stage, change, encryptAnew)
  else {
    await step(stage, before, after)
    await step(stage, after, before)
    await encryptAnew()
    await step(stage, after, '')
  }
  unfinished.delete(stage)
}

/** One change of the key at a time: a server reads two keys, and no third. */
let turn: Promise<unknown> = Promise.resolve()

const inTurn = (act: () => Promise<void>): Promise<void> => {
  const mine = turn.then(act)
  turn = mine.catch(() => undefined)
  return mine
}

const versions = new WeakMap<Stage, Promise<Version>>()

/** The version after this one, made once for a run. */
const laterOf = (stage: Stage): Promise<Version> => {
  const known = versions.get(stage)
  if (known) return known
  const made = makeLater().then(version => stage.keep(version))
  versions.set(stage, made)
  return made
}

/** Arguments of a server with the files of another checkout, which is gone soon and so leaves nothing compiled behind. */
const inRoot = ({ usualArgs }: Process, root: string): string[] =>
  usualArgs
    .slice(COMPILED_BEFORE.length)
    .map(arg => (arg.startsWith(`${ROOT}/`) ? join(root, relative(ROOT, arg)) : arg))

export const UPKEEP_FAULTS: readonly Fault[] = [
  {
    name: 'change SECRETS_KEY',
    weight: 1,
    longestMs: 200,
    isPossible: () => true,
    begin: async stage => {
      await inTurn(() => changeKey(stage))
      return once('every server')
    },
  },
  {
    name: 'upgrade and go back',
    weight: 1,
    longestMs: 3_000,
    isPossible: ({ options }) => options.topology !== 'embedded',
    begin: async stage => {
      const { root } = await laterOf(stage)
      await again(() => command(stage, 'prisma/migrate.ts', [], root))
      await roll(stage, server => server.renew({ args: inRoot(server, root) }))
      return {
        target: 'every server',
        end: () => roll(stage, server => server.renew({ args: server.usualArgs })),
      }
    },
  },
]
