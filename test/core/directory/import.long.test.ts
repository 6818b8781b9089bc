/** The import and the reading of what it wrote, on each database. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#core/data/db.ts'
import { createDirectory, type Directory } from '#core/directory/directory.ts'
import { importDirectory, importFile, type Progress } from '#core/directory/import.ts'
import { parseJson } from '#core/directory/read-file.ts'
import { DATABASES, openScratch } from './databases.ts'
import { generateAccounts } from './generate.ts'

const DEMO = join(import.meta.dirname, '../../../prisma/demo/directory.json')

const ALI = {
  customerAccountNumber: '1',
  customerName: 'Ali',
  customerType: 14,
  totalDues: 5.005,
  lines: [
    { kind: 'phone', number: '91000001', prepaidBalance: 1.5, pointsBalance: 10 },
    { kind: 'fixedline', number: '24000001' },
    { kind: 'internetAccount', number: 'ali@fiber', active: false },
  ],
}
const MUNA = {
  customerAccountNumber: '2',
  customerName: 'Muna',
  lines: [{ kind: 'phone', number: '91000002' }],
}

describe.each(DATABASES)('directory on %s', kind => {
  let database: Database
  let directory: Directory

  beforeAll(async () => {
    database = await openScratch(kind)
    directory = createDirectory(database.db)
  })
  afterAll(() => database.close())
  beforeEach(
    () =>
      database.db
        .$executeRaw`TRUNCATE directory.account, directory.line, directory.search_term, ledger.balance`,
  )

  const load = (accounts: unknown[], options = {}) =>
    importDirectory(database.db, parseJson(JSON.stringify({ accounts })), {
      countryCode: '968',
      ...options,
    })

  const balances = async () => {
    const rows = await database.db.balance.findMany({ orderBy: [{ holder: 'asc' }, { kind: 'asc' }] })
    return rows.map(row => [row.kind, row.holder, row.currency, row.amount.toString()])
  }

  it('DIR-70 adds accounts, lines and opening balances', async () => {
    expect(await load([ALI, MUNA])).toEqual({
      accounts: { added: 2, changed: 0, unchanged: 0 },
      lines: { added: 4, changed: 0, unchanged: 0 },
      balances: { added: 3, changed: 0, unchanged: 0 },
    })
    expect(await balances()).toEqual([
      ['dues', '1', 'OMR', '5.005'],
      ['points', '96891000001', '', '10'],
      ['prepaid', '96891000001', 'OMR', '1.5'],
    ])
  })

  it('DIR-77 MUST be done, and say what is left to do, where the statistics cannot be renewed after the commit', async () => {
    const { db } = database
    await db.$executeRaw`
      CREATE FUNCTION public.refuse_analyze(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN
        IF current_query() ILIKE 'ANALYZE%' THEN RAISE 'no room for statistics'; END IF;
        RETURN $1;
      END $$`
    await db.$executeRaw`CREATE INDEX refusing ON directory.account (public.refuse_analyze(account_number))`
    const warnings: string[] = []
    const result = await load([ALI, MUNA], { onWarning: (text: string) => warnings.push(text) }).finally(
      () => db.$executeRaw`DROP FUNCTION public.refuse_analyze CASCADE`,
    )
    expect(result.accounts).toEqual({ added: 2, changed: 0, unchanged: 0 })
    expect(await db.account.count()).toBe(2)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^All of it is imported, .*no room for statistics.*: queries may be slow until ANALYZE directory\.account/,
      ),
    ])
  })

  it('DIR-75 keeps what accounts are searched by: the words of a new name in the place of the old', async () => {
    const words = async () => {
      const rows = await database.db.searchTerm.findMany({ orderBy: { term: 'asc' } })
      return rows.map(({ term, words }) => [term, words])
    }
    await load([{ customerAccountNumber: 'A1', customerName: 'Ali bin Said' }])
    expect(await words()).toEqual(
      ['a1', 'ali', 'bin', 'said'].map(word => [`${word} A1`, ' a1 ali bin said ']),
    )
    await load([{ customerAccountNumber: 'A1', customerName: 'Ali Hinai' }])
    expect(await words()).toEqual(['a1', 'ali', 'hinai'].map(word => [`${word} A1`, ' a1 ali hinai ']))
  })

  it('DIR-71 reads accounts and lines, one by one and in batches', async () => {
    await load([ALI, MUNA])
    const muna = { accountNumber: '2', customerName: 'Muna', customerType: null, custAddr1: null }
    const line = { kind: 'phone', number: '96891000002', accountNumber: '2', active: true }
    const found = { ...line, isOnly: true }
    expect(await directory.account('2')).toMatchObject(muna)
    expect(await directory.account('3')).toBeUndefined()
    expect(await directory.line('phone', '96891000002')).toEqual(found)
    expect(await directory.line('fixedline', '96891000002')).toBeUndefined()
    expect(await directory.line('internetAccount', 'ali@fiber')).toMatchObject({
      accountNumber: '1',
      active: false,
    })
    const accounts = await Promise.all(['2', '3', '1'].map(directory.account))
    expect(accounts.map(account => account?.accountNumber)).toEqual(['2', undefined, '1'])
    const phones = ['96891000002', '96824000001'].map(number => directory.line('phone', number))
    expect(await Promise.all(phones)).toEqual([found, undefined])
    const lines = await directory.linesOfAccounts(['1', '2', '3'])
    expect(lines.get('1')?.map(each => each.kind)).toEqual(['fixedline', 'internetAccount', 'phone'])
    expect([lines.get('2'), lines.get('3')]).toEqual([[line], []])
  })

  it('DIR-72 a second run of the same file changes nothing', async () => {
    await load([ALI, MUNA])
    const versions = () => database.db.$queryRaw`
      SELECT ctid::text, xmax::text FROM directory.account UNION ALL SELECT ctid::text, xmax::text FROM directory.line
      UNION ALL SELECT ctid::text, xmax::text FROM ledger.balance`
    const before = await versions()
    expect(await load([ALI, MUNA])).toEqual({
      accounts: { added: 0, changed: 0, unchanged: 2 },
      lines: { added: 0, changed: 0, unchanged: 4 },
      balances: { added: 0, changed: 0, unchanged: 3 },
    })
    expect(await versions()).toEqual(before)
  })

  it('DIR-73 changes what differs, moves a line, and leaves alone what is not named', async () => {
    await load([ALI, MUNA])
    const moved = {
      ...MUNA,
      customerName: undefined,
      lines: [{ kind: 'phone', number: '+96891000001', active: false }],
    }
    expect(await load([moved])).toMatchObject({
      accounts: { added: 0, changed: 1, unchanged: 0 },
      lines: { added: 0, changed: 1, unchanged: 0 },
    })
    expect((await directory.account('2'))?.customerName).toBeNull()
    expect(await directory.line('phone', '96891000001')).toMatchObject({ accountNumber: '2', active: false })
    expect((await directory.linesOfAccounts(['1'])).get('1')).toHaveLength(2)
    expect(await directory.line('phone', '96891000002')).toMatchObject({ accountNumber: '2' })
  })

  it('DIR-74 keeps balances that exist, unless they are to be set', async () => {
    await load([ALI])
    await database.db.balance.updateMany({ where: { kind: 'points' }, data: { amount: '3.25' } })
    expect((await load([{ ...ALI, totalDues: 9 }])).balances).toEqual({ added: 0, changed: 0, unchanged: 3 })
    expect(await balances()).toContainEqual(['points', '96891000001', '', '3.25'])
    const set = await load([{ ...ALI, totalDues: 9 }], { setBalances: true })
    expect(set.balances).toEqual({ added: 0, changed: 2, unchanged: 1 })
    expect(await balances()).toEqual([
      ['dues', '1', 'OMR', '9'],
      ['points', '96891000001', '', '10'],
      ['prepaid', '96891000001', 'OMR', '1.5'],
    ])
  })

  it('DIR-75 keeps amounts exact to the last digit', async () => {
    await load([
      { ...ALI, totalDues: 999999999999.999 },
      { ...MUNA, totalDues: '-0.001' },
    ])
    expect(await balances()).toContainEqual(['dues', '1', 'OMR', '999999999999.999'])
    expect(await balances()).toContainEqual(['dues', '2', 'OMR', '-0.001'])
  })

  it('DIR-76 one fault in the last row, and nothing is imported', async () => {
    await expect(load([ALI, MUNA, { customerAccountNumber: '3', customerType: 1 }])).rejects.toThrow(
      'accounts[2]',
    )
    expect(await database.db.account.count()).toBe(0)
  })

  it('DIR-77 a failure between the batches leaves nothing behind', async () => {
    const fail = ({ step, done, total }: Progress) => {
      if (step === 'writing' && done < total!) throw new Error('cut')
    }
    await expect(load(generateAccounts(3_000), { onProgress: fail })).rejects.toThrow('cut')
    expect(await database.db.account.count()).toBe(0)
    expect(await database.db.balance.count()).toBe(0)
  })

  it('DIR-78 two imports at once take turns', async () => {
    const accounts = generateAccounts(2_000)
    const results = await Promise.all([load(accounts), load(accounts.toReversed(), { setBalances: true })])
    expect(results.map(({ lines }) => lines.added).sort((a, b) => a - b)).toEqual([0, 2_000])
  })

  it('DIR-79 the demo directory imports', async () => {
    const { accounts, lines } = await importFile(database.db, DEMO, { countryCode: '968' })
    const file: { accounts: { lines: unknown[] }[] } = JSON.parse(readFileSync(DEMO, 'utf8'))
    const sum = file.accounts.reduce((count, account) => count + account.lines.length, 0)
    expect([accounts.added, lines.added]).toEqual([file.accounts.length, sum])
  })

  it('DIR-80 20,000 lines in seconds, progress reported to the end', { timeout: 60_000 }, async () => {
    const reported: Progress[] = []
    const started = performance.now()
    const result = await load(generateAccounts(20_000), {
      onProgress: (progress: Progress) => reported.push(progress),
    })
    expect(performance.now() - started).toBeLessThan(30_000)
    expect([result.accounts.added, result.lines.added, result.balances.added]).toEqual([
      10_000, 20_000, 50_000,
    ])
    expect(reported[0]).toEqual({ step: 'checking', done: 1_000 })
    expect(reported.at(-1)).toEqual({ step: 'writing', done: 30_000, total: 30_000 })
  })
})
