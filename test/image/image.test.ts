/**
 * The image of the Containerfile: built on a base made of Debian's packages, small, run without rights, and as good as the
 * README says. Needs Debian's buildah and mmdebstrap, and some minutes.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { expectTour } from '../docs/tour.ts'
import { createGraph } from '../support/graph.ts'

const MINUTES = 60_000
const BASE = 'localhost/partner-graph-test-base'
const IMAGE = 'localhost/partner-graph-test'
/** Neither a kernel's overlay file system nor namespaces of users are needed. */
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }
const MAX_COMPRESSED_BYTES = 250_000_000
const START = ['node', '--disable-warning=ExperimentalWarning', '--import', './compile-cache.js']

const isThere = (command: string) => spawnSync(command, ['--version']).status === 0
const missing = ['buildah', 'mmdebstrap'].filter(command => !isThere(command))
if (missing.length > 0) console.log(`The image is not tried: ${missing.join(' and ')} not installed`)

const run = promisify(execFile)
const buildah = async (...args: string[]): Promise<string> =>
  (await run('buildah', args, { env, cwd: projectPath('.'), maxBuffer: 1e8 })).stdout.trim()

/** A port below the range from which the kernel takes those of other tests. */
const PORT = 24_000 + (process.pid % 4_000)

const NEWEST = `{ payments(first: 1) { nodes { paymentId transactionOperationStatus } }
  timeline(first: 50) { nodes { transaction { id } } } }`

const tokenOf = async (address: string, client: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Whether the newest payment is settled and in the timeline. */
const isSettled = async (address: string): Promise<boolean> => {
  const { data } = await createGraph(address)(NEWEST, { token: await tokenOf(address, 'demo-analyst') })
  const { paymentId, transactionOperationStatus: status } = data['payments'].nodes[0]
  const shown = data['timeline'].nodes.map(
    ({ transaction }: { transaction: { id: string } }) => transaction.id,
  )
  return status !== 'processing' && shown.includes(paymentId)
}

describe.skipIf(missing.length > 0)('the image', () => {
  let container: string | undefined
  beforeAll(async () => {
    await run(projectPath('test/image/base.sh'), [BASE], { env })
    // Debian's buildah lets a build open 1,024 files, and npm opens more.
    const limit = ['--ulimit', 'nofile=16384:16384']
    await buildah(
      'build',
      ...limit,
      '--build-arg',
      `BASE=${BASE}`,
      '--file',
      'Containerfile',
      '--tag',
      IMAGE,
      '.',
    )
    container = await buildah('from', IMAGE)
  }, 15 * MINUTES)
  afterAll(async () => {
    if (container) await buildah('rm', container)
    await buildah('rmi', '--force', IMAGE, BASE)
  }, MINUTES)

  it('takes at most 250 MB compressed', { timeout: 5 * MINUTES }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'image-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await buildah('push', '--compression-format', 'gzip', IMAGE, `oci-archive:${folder}/image.tar`)
    const { stdout } = await run('stat', ['--format', '%s', `${folder}/image.tar`])
    expect(Number(stdout)).toBeLessThan(MAX_COMPRESSED_BYTES)
  })

  it('runs as a user who cannot change the program', async () => {
    expect(await buildah('run', container!, '--', 'id', '-u')).toBe('10001')
    const touched = buildah('run', container!, '--', 'touch', '/app/changed', '/usr/changed')
    await expect(touched).rejects.toThrow('Permission denied')
    const installed = await buildah('run', container!, '--', 'sh', '-c', 'ls node_modules')
    expect(installed.split('\n')).not.toContain('vitest')
  })

  /** The program in the container, which shares the network of this machine. */
  const start = (program: string): ChildProcess => {
    const settings = ['HOST=127.0.0.1', 'DEMO=1', `PORT=${PORT}`].flatMap(one => ['--env', one])
    const child = spawn('buildah', ['run', ...settings, container!, '--', ...START, program], {
      env,
      // A group of its own, to which the program in the container belongs too.
      detached: true,
    })
    child.stderr!.pipe(process.stderr)
    return child
  }

  it('answers the tour of the README', { timeout: 3 * MINUTES }, async () => {
    const child = start('gateway/main.ts')
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      process.kill(-child.pid!, 'SIGTERM')
      await ended
    })
    const address = `http://127.0.0.1:${PORT}`
    await expect
      .poll(() => fetch(`${address}/health/ready`).then(({ status }) => status, String), {
        timeout: 2 * MINUTES,
      })
      .toBe(200)
    const health = await buildah(
      'run',
      '--env',
      `PORT=${PORT}`,
      container!,
      '--',
      'node',
      'ops/container/health.js',
    )
    expect(health).toBe('')
    await expectTour(address, () => expect.poll(() => isSettled(address), { timeout: MINUTES }).toBe(true))
  })
})
