/** An installation without connectors/: what it starts with, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { chooseCharging } from '#core/connectors.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { createLog } from '#core/observability/log.ts'

const choose = (env: Record<string, string>) =>
  chooseCharging(
    {
      config: readConfig(env),
      log: createLog('silent'),
      db: {} as never,
      metrics: {} as never,
      watchdog: {} as never,
    },
    '/an/installation/without/connectors',
  )

const HTTP = { CHARGING: 'http', CHARGING_URL: 'https://charging.test', CHARGING_TOKEN: 'secret' }
const SMPP = { SMS: 'smpp', SMPP_URL: 'smpp://me:secret@127.0.0.1:2775' }

describe('an installation without connectors/', () => {
  it('charges every service by the embedded ledger', async () => {
    const charging = await choose({})
    expect(charging.for({ service: 'messaging' })).toMatchObject({ embedded: true })
    expect(charging.for({ service: 'prepaid' })).toMatchObject({ embedded: true })
  })

  it.each([
    {
      env: HTTP,
      refusal:
        'CHARGING=http needs the connector in connectors/http, which this installation does not have: restore that folder, or unset CHARGING',
    },
    {
      env: SMPP,
      refusal:
        'SMS=smpp needs the connector in connectors/smpp, which this installation does not have: restore that folder, or unset SMS',
    },
  ])(
    'refuses to start with a setting that asks for a connector, and says what to do: $refusal',
    async ({ env, refusal }) => {
      await expect(choose(env)).rejects.toThrow(new SetupError(refusal))
    },
  )
})
