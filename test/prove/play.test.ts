/** The actors of a run that fails: all of them end with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Recorder } from '#prove/history/recorder.ts'
import { Play, randomSources } from '#prove/play.ts'
import { ReceiverHost } from '#prove/receivers.ts'
import type { Stage } from '#prove/stage/stage.ts'

it('PLAY-01 MUST end every worker and subscriber of a run that fails, before its history is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prove-play-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const random = randomSources(1)
  const recorder = new Recorder(join(folder, 'history.ndjson'))
  // Nothing listens there, so that every step fails and the next one begins.
  const stage = { addresses: ['http://127.0.0.1:1'], before: { event: 0 } } as unknown as Stage
  let left: Play | undefined
  const failing = async () => {
    await using receivers = await ReceiverHost.open(recorder, random())
    await using play = new Play(stage, recorder, receivers, random)
    left = play
    play.subscribe()
    play.start()
    expect(play.working).toBeGreaterThan(0)
    throw new Error('the run fails')
  }
  await expect(failing()).rejects.toThrow('the run fails')
  expect(left!.working).toBe(0)
  await recorder.close()
  await recorder.close()
})
