/** `check:schema` and `schema uses` on a database in which uses were recorded. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema, printSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSchemaCheck } from '#cli/check-schema.ts'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { readText } from '../support/sources.ts'
import { createCli } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-schema-'))
const dataDir = join(folder, 'data')
const check = createCli(dataDir, undefined, runSchemaCheck)
const cli = createCli(dataDir)
const [same, draft, added] = ['same', 'draft', 'added'].map(name => join(folder, `${name}.graphql`)) as [
  string,
  string,
  string,
]
const HOUR = new Date(Math.floor(Date.now() / 3_600_000 - 72) * 3_600_000)
const LAST = new Date(HOUR.getTime() + 720_000)

beforeAll(async () => {
  const sdl = printSchema(buildSchema(readText('schema/api.graphql')))
  writeFileSync(same, sdl)
  writeFileSync(draft, sdl.replace(/^ {2}totalDues: Decimal!$/m, '  dues: Decimal!'))
  writeFileSync(added, sdl.replace(/^ {2}totalDues: Decimal!$/m, '  totalDues: Decimal!\n  shoeSize: Int'))
  const { db, close } = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  const use = { clientId: 'portal', hour: HOUR, count: 12n, lastAt: LAST }
  await db.schemaUse.create({ data: { ...use, coordinate: 'Customer.totalDues' } })
  await db.schemaUse.create({ data: { ...use, coordinate: 'Customer.customerName', clientId: 'kiosk' } })
  await close()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('check:schema', { timeout: 60_000 }, () => {
  it('SCHEMA-40 MUST end with 0 where nothing changed', async () => {
    const { code, stdout } = await check('--against', same)
    expect([code, stdout]).toEqual([
      0,
      `From ${same} to schema/api.graphql: nothing breaks\nFrom schema/api.graphql to ${same}: nothing breaks\n`,
    ])
  })

  it('SCHEMA-41 MUST end with 1 where the checked-in schema lacks what the file has', async () => {
    const { code, stdout } = await check('--against', added)
    expect([code, stdout]).toEqual([1, expect.stringContaining('Customer.shoeSize')])
  })

  it('SCHEMA-42 MUST name who uses what a draft would take away, how often and when last', async () => {
    const { code, stdout } = await check('--against', draft, '--usage')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /to .*draft\.graphql: 1 breaking\n {2}Customer\.totalDues: .*\n {4}CLIENT +USES +LAST\n {4}portal +12 +[\d-]+T/,
    )
    expect(stdout).toContain(LAST.toISOString())
    expect(stdout).not.toContain('kiosk')
    const { stdout: json } = await check('--against', draft, '--usage', '--json')
    expect(JSON.parse(json)).toMatchObject({
      breaks: true,
      toFile: [{ path: 'Customer.totalDues', clients: [{ clientId: 'portal', count: 12 }] }],
    })
  })

  it('SCHEMA-43 MUST end with 0 where nobody uses what breaks', async () => {
    const { code, stdout } = await check('--against', added, '--usage')
    expect([code, stdout]).toEqual([0, expect.stringContaining('used by nobody')])
    expect((await check('--against', draft, '--usage', '--days', '1')).code).toBe(0)
  })

  it('SCHEMA-44 MUST end with 2 and say why where it is used wrongly', async () => {
    expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('--against <file>') })
    expect(await check('--against', join(folder, 'nothing'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no schema that can be read'),
    })
    expect(await check('--against', same, '--usage', '--days', 'x')).toMatchObject({
      code: 2,
      stderr: 'error: --days must be a whole number of days\n',
    })
  })

  it('SCHEMA-45 MUST be listed by client and hour', async () => {
    const { code, stdout } = await cli('schema', 'uses', '--by-hour', '--coordinate', 'Customer.totalDues')
    expect([
      code,
      stdout
        .trimEnd()
        .split('\n')
        .map(line => line.replaceAll(/ +/g, ' ')),
    ]).toEqual([
      0,
      [
        'HOUR COORDINATE CLIENT USES LAST',
        `${HOUR.toISOString()} Customer.totalDues portal 12 ${LAST.toISOString()}`,
      ],
    ])
    const { stdout: json } = await cli('schema', 'uses', '--client', 'kiosk', '--json')
    expect(JSON.parse(json)).toMatchObject([{ coordinate: 'Customer.customerName', count: 12 }])
  })
})
