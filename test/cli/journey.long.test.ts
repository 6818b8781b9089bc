/** `journey <correlator|id>`: the steps of a transaction, as a table and as JSON. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { ensureSequence } from '#core/data/gapless-sequence.ts'
import { newId } from '#core/values/id.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { notePosted } from '#test/support/posted.ts'
import { createCli } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-journey-'))
const dataDir = join(folder, 'data')
const cli = createCli(dataDir)
const id = newId()
/** The form of an id, as a correlator that the server made has. */
const correlator = newId()

const seed = async () => {
  const { db, close } = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  await ensureSequence(db, PAYMENT)
  const position = 1n
  const numbers = { id, position, clientPosition: position, clientId: 'shop', correlator }
  const at = new Date('2026-11-22T10:00:00.000Z')
  const money = { accountNumber: '100002', currency: 'OMR', amount: '1.5' }
  const settled = { status: 'succeeded', completedAt: new Date(at.getTime() + 250), reason: 'Done' }
  await db.payment.create({ data: { ...numbers, ...money, ...settled, createdAt: at, body: {} } })
  await notePosted({ db }, PAYMENT, 1)
  await close()
  await cli('activity', 'rebuild')
}

describe('journey', { timeout: 60_000 }, () => {
  beforeAll(seed, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('CLI-70 prints the steps of a transaction by its id as a table', async () => {
    const { code, stdout } = await cli('journey', id)
    expect(code).toBe(0)
    const [first, headings, ...steps] = stdout.trim().split('\n')
    expect(first).toBe(`PAYMENT ${id}`)
    expect(headings).toMatch(/^AT +AFTER +STEP +TOOK +TEXT$/)
    expect(steps.map(line => line.replaceAll(/ +/g, ' '))).toEqual([
      '2026-11-22T10:00:00.000Z POSTED shop posted it: Payment of 1.500 OMR on account 100002.',
      '2026-11-22T10:00:00.250Z +250 ms SETTLED 250 ms It became succeeded: Done.',
    ])
  })

  it('CLI-71 prints one line of JSON by the correlator, which has the form of an id', async () => {
    const { code, stdout } = await cli('journey', correlator, '--json')
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({
      transaction: { id, kind: 'PAYMENT' },
      steps: [
        { kind: 'POSTED', transactionId: id },
        { kind: 'SETTLED', durationMs: 250 },
      ],
      events: [],
      deliveries: [],
      hasMore: false,
    })
  })

  it('CLI-72 fails with 1 where nothing is known, with 2 without a correlator', async () => {
    expect(await cli('journey', 'nothing-of-the-kind')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Request or transaction nothing-of-the-kind not found\n',
    })
    expect((await cli('journey')).code).toBe(2)
  })
})
