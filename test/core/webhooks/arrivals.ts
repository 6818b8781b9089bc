/** Setup of the tests of notifications: a stage, a receiver, and the messages that arrived there. */

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+04:00$/

export let stage: Stage

export let receiver: Receiver

export const log: string[] = []

export let signed: string

export let portal: string

export const arrived = (id: string) => receiver.received.filter(one => one.body.eventSubscriptionid === id)

/** The secrets that signed it, in the order of its signatures; those by keys of the installation are left out. */
export const signersOf = ({ headers, raw }: Received, secrets: readonly string[]) => {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  const given = `${headers['webhook-signature']}`.split(' ').filter(one => !one.startsWith('v1a,'))
  return given.map(one => signatures.indexOf(one))
}

/** Starts stage and receiver before the file's tests. */
export const useArrivals = () => {
  beforeAll(async () => {
    stage = await openStage({ env: { LOG_LEVEL: 'info' }, logLines: log })
    receiver = await startReceiver()
    signed = await stage.stack.token({ id: 'signed', role: 'partner', dummyCards: true })
    portal = await stage.stack.token('demo-portal')
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })
}
