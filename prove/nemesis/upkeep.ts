/** Upkeep by an operator, one server after the other, while clients go on: another `SECRETS_KEY`, a later version and back. */
import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeLater, type Version } from '#test/soak/upgrade/versions.ts'
import { ROOT } from '../stage/building.ts'
import type { Process } from '../stage/process.ts'
import type { Stage } from '../stage/stage.ts'
import { command } from './command.ts'
import { type Fault, once } from './fault.ts'

/** A rotation goes on where another fault has stopped it, as an operator would. */
const TRIES = 5
const AGAIN_MS = 2_000
/** More servers than these are renewed all at once, since a run is short. */
const ONE_BY_ONE = 2

/** Renews each server, the next when the one before serves again. */
const roll = async ({ servers }: Stage, act: (server: Process) => Promise<void>): Promise<void> => {
  if (servers.length > ONE_BY_ONE) return void (await Promise.all(servers.map(act)))
  for (const server of servers) await act(server)
}

const again = async (act: () => Promise<void>): Promise<void> => {
  for (let left = TRIES; ; left--)
    try {
      return await act()
    } catch (error) {
      if (left === 1) throw error
      await delay(AGAIN_MS)
    }
}

/** Key under which servers of a stage encrypt. */
const keyOf = ({ place }: Stage): string => place['SECRETS_KEY']!

const step = async (stage: Stage, SECRETS_KEY: string, SECRETS_KEY_ALSO: string): Promise<void> => {
  const env = { SECRETS_KEY, SECRETS_KEY_ALSO }
  stage.set(env)
  await roll(stage, server => server.renew({ env }))
}

const encryptAnew = (stage: Stage) =>
  again(() => command(stage, 'cli/main.ts', ['keys', 'rotate', '--secrets']))

/** One server on an embedded database, which serves one process at a time, is stopped meanwhile. */
const changeKeyOfEmbedded = async (stage: Stage, before: string, after: string): Promise<void> => {
  const env = { SECRETS_KEY: after, SECRETS_KEY_ALSO: before }
  stage.set(env)
  await stage.servers[0]!.renew({ env, meanwhile: () => encryptAnew(stage) })
}

/** The four steps of docs/operating.md. */
const changeKey = async (stage: Stage): Promise<void> => {
  const [before, after] = [keyOf(stage), randomBytes(32).toString('base64')]
  if (stage.options.topology === 'embedded') return changeKeyOfEmbedded(stage, before, after)
  await step(stage, before, after)
  await step(stage, after, before)
  await encryptAnew(stage)
  await step(stage, after, '')
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

/** Arguments with the files of one checkout in place of those of another. */
const inRoot = (args: readonly string[], from: string, to: string): string[] =>
  args.map(arg => (arg.startsWith(`${from}/`) ? join(to, relative(from, arg)) : arg))

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
      await roll(stage, server => server.renew({ args: inRoot(server.args, ROOT, root) }))
      return {
        target: 'every server',
        end: () => roll(stage, server => server.renew({ args: inRoot(server.args, root, ROOT) })),
      }
    },
  },
]
