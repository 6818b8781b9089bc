/** A receiver that fails is a line in the log when that begins and one when it is over, however often it is tried. */
import { expect, it } from 'vitest'
import { startReceiver, status } from './receiver.ts'
import { openStage } from './stage.ts'

const HOUR_MS = 3_600_000

it('HOOK-90 MUST tell a receiver that fails once, and once that it takes webhooks again', async () => {
  const logLines: string[] = []
  await using receiver = await startReceiver()
  await using stage = await openStage({ logLines, env: { LOG_LEVEL: 'info' } })
  const linesWith = (text: string) => logLines.filter(line => line.includes(text))
  receiver.answer = status(500)
  const webhook = { notificationUrl: receiver.url }
  const id = await stage.pay(webhook)
  await stage.pay(webhook)
  for (let attempt = 0; attempt < 4; attempt++) {
    await stage.sent()
    stage.ahead += HOUR_MS * 12
  }
  const [one] = await stage.deliveries(id)
  expect(one.attempts).toBeGreaterThanOrEqual(3)
  expect(linesWith('webhook PENDING')).toHaveLength(1)

  receiver.answer = status(204)
  await stage.sent()
  stage.ahead += HOUR_MS * 12
  await stage.sent()
  expect(linesWith('takes webhooks again')).toHaveLength(1)
  expect(linesWith('webhook delivered')).toHaveLength(2)
})
