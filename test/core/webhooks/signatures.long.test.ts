/** Signatures of messages that arrive at a receiver, and the change of secrets. */

import { describe, expect, it } from 'vitest'
import { faultsOfCallback } from '#test/support/openapi.ts'
import { SEPARATE } from '#test/support/stack.ts'
import { arrived, log, portal, receiver, signed, signersOf, stage, useArrivals } from './arrivals.ts'

useArrivals()

describe('what arrives', () => {
  /** Other processes see a rotation two seconds late (CLIENT-13). */
  describe.skipIf(SEPARATE)('signatures', () => {
    const HOUR_MS = 3_600_000
    const secrets: string[] = []
    const ROTATE = `mutation ($hours: Int, $partner: String) {
      rotateWebhookSecret(overlapHours: $hours, partner: $partner) { secret previousEndsAt } }`

    const rotate = async (token: string, variables: object = {}) => {
      const { data, errors } = await stage.graph(ROTATE, { token, variables })
      const rotated = data.rotateWebhookSecret
      if (rotated) secrets.push(rotated.secret)
      return rotated ?? errors[0]!.extensions.code
    }
    const next = async () => {
      const id = await stage.pay({ notificationUrl: receiver.url }, 'signed')
      await stage.sent()
      return arrived(id)[0]!
    }
    const signers = async () => signersOf(await next(), secrets)

    it('HOOK-07 is signed after Standard Webhooks with the secret that the partner was given', async () => {
      expect((await next()).headers['webhook-signature']).toBeUndefined()
      expect(await rotate(signed)).toEqual({
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previousEndsAt: null,
      })
      const one = await next()
      expect(one.headers['webhook-id']).toBe(one.body.event.eventid)
      expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
      expect(signersOf(one, secrets)).toEqual([0])
      expect(faultsOfCallback('postpaid-billing', one.headers)).toEqual([])
    })

    it('HOOK-47 old and new both sign during the overlap, then the new alone', async () => {
      const { previousEndsAt } = await rotate(signed, { hours: 2 })
      expect(Math.abs(Date.parse(previousEndsAt) - Date.now() - 2 * HOUR_MS)).toBeLessThan(60_000)
      expect(await signers()).toEqual([1, 0])
      stage.ahead += 2 * HOUR_MS - 60_000
      expect(await signers()).toEqual([1, 0])
      stage.ahead += 120_000
      expect(await signers()).toEqual([1])
      stage.ahead -= 2 * HOUR_MS + 60_000
    })

    it("HOOK-48 a portal rotates a partner's; what a receiver knows signs on, however often, until it is ended", async () => {
      expect(await rotate(portal, { partner: 'signed', hours: 720 })).toMatchObject({ secret: secrets[2] })
      expect(await signers()).toEqual([2, 1, 0])
      await rotate(signed)
      expect(await signers()).toEqual([3, 2, 1, 0])
      await rotate(signed)
      expect(await rotate(signed)).toBe('INVALID_ARGUMENT')
      expect(await signers()).toEqual([4, 3, 2, 1, 0])
      await rotate(signed, { hours: 0 })
      expect(await signers()).toEqual([5])
    })

    it('HOOK-49 is refused to others, to bound tokens, and for what is out of range', async () => {
      const analyst = await stage.stack.token('demo-analyst')
      const phoneNumber = '96891000001'
      const bound = await stage.stack.token({ id: 'bound-portal', role: 'portal', phoneNumber })
      expect([
        await rotate(analyst, { partner: 'signed' }),
        await rotate(bound, { partner: 'signed' }),
        await rotate(signed, { partner: 'demo-partner' }),
        await rotate(portal, { partner: 'nobody' }),
        await rotate(portal, { partner: 'demo-analyst' }),
        await rotate(portal),
        await rotate(signed, { hours: -1 }),
        await rotate(signed, { hours: 721 }),
      ]).toEqual([
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
        'NOT_FOUND',
        'NOT_FOUND',
        'NOT_FOUND',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
      ])
      expect(await signers()).toEqual([5])
    })

    it('HOOK-50 the secrets stand in no log line, and in the database encrypted alone', async () => {
      expect(log.some(line => line.includes('webhook signing secret rotated'))).toBe(true)
      const kept = await stage.stack.app.db.client.findUnique({ where: { id: 'signed' } })
      for (const secret of secrets)
        expect(log.join() + JSON.stringify(kept)).not.toContain(secret.replace('whsec_', ''))
    })
  })
})
