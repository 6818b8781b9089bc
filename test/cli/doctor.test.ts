/** `doctor` from outside: what it finds at a server, whatever that answers, and its exit codes. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCli } from './run.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const json =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const text =
  (body: string): Answer =>
  (_, response) =>
    void response.end(body)

const REFUSED = { errors: [{ message: 'No token', extensions: { code: 'UNAUTHORIZED' } }] }

/** Responses of a server that is well. */
const WELL: Readonly<Record<string, Answer>> = {
  '/health/live': json(200, { status: 'live' }),
  '/health/ready': json(200, { status: 'ready', reasons: [] }),
  '/oauth2/accesstoken': (request, response) =>
    request.headers.authorization
      ? json(200, { access_token: 'token' })(request, response)
      : json(401, { error: 'invalid_client' })(request, response),
  '/graphql': (request, response) =>
    request.headers.authorization === 'Bearer token'
      ? json(200, { data: { me: { id: 'desk' } } })(request, response)
      : json(401, REFUSED)(request, response),
  '/metrics': text('# TYPE settling_lag_seconds gauge\nsettling_lag_seconds{kind="PAYMENT"} 0\n'),
}

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-doctor-'))
const secretFile = join(folder, 'secret')
/** A folder without a database: nothing is made there. */
const cli = createCli(join(folder, 'data'))
let answers: Record<string, Answer>
let clockOffsetMs: number
const server = createServer((request, response) => {
  response.setHeader('date', new Date(Date.now() + clockOffsetMs).toUTCString())
  const answer = answers[request.url!] ?? json(404, { code: 'NOT_FOUND' })
  answer(request, response)
})
let url: string

beforeAll(async () => {
  writeFileSync(secretFile, 'open sesame\n')
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  answers = { ...WELL }
  clockOffsetMs = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Found {
  check: string
  status: string
  text: string
}

const doctor = async (...options: string[]) => {
  const { code, stdout, stderr } = await cli('doctor', '--url', url, '--json', ...options)
  expect(stderr).toBe('')
  const { status, findings } = JSON.parse(stdout) as { status: string; findings: Found[] }
  const of = (check: string) => findings.find(one => one.check === check)
  return { code, status, findings, of }
}

describe('doctor', () => {
  it('DOCTOR-01 MUST end with 0 where all is well, and ask nothing that counts as a wrong secret', async () => {
    const tokens: (string | undefined)[] = []
    answers['/oauth2/accesstoken'] = (request, response) => {
      tokens.push(request.headers.authorization)
      WELL['/oauth2/accesstoken']!(request, response)
    }
    const { code, status, findings } = await doctor()
    expect([code, status, tokens]).toEqual([0, 'well', [undefined]])
    expect(findings.filter(one => one.status === 'well').map(({ check }) => check)).toEqual([
      'server',
      'server clock',
      'readiness',
      'tokens',
      'graph',
      'metrics',
      'settling',
    ])
  })

  it('DOCTOR-02 MUST end with 2 where nothing answers, and say so once', async () => {
    const { code, stdout } = await cli('doctor', '--url', 'http://127.0.0.1:1', '--no-inside', '--json')
    expect(code).toBe(2)
    const { findings } = JSON.parse(stdout)
    expect(findings).toEqual([
      {
        check: 'server',
        status: 'broken',
        text: expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:1 \(.+\): start the server/),
      },
    ])
  })

  it('DOCTOR-03 MUST know another program by its answer', async () => {
    answers = { '/health/live': text('<html>') }
    const { code, of } = await doctor('--no-inside')
    expect([code, of('server')?.text]).toEqual([2, expect.stringContaining('is not this program (200')])
  })

  it('DOCTOR-04 MUST name each degraded part with its reason, since when, and what to do', async () => {
    const since = '2026-11-22T10:14:23.724Z'
    const degraded = [
      { part: 'charging', reason: 'charging: it failed', serving: true, since },
      { part: 'settling of PAYMENT', reason: 'settling of PAYMENT stands still', serving: false, since },
    ]
    answers['/health/ready'] = json(503, { status: 'not ready', reasons: ['x'], degraded })
    const { code, of } = await doctor()
    expect(code).toBe(2)
    expect(of('charging')).toMatchObject({
      status: 'degraded',
      text: `Charging: it failed (since ${since}): see whether that system runs; what is posted is kept, and carried out once it is back.`,
    })
    expect(of('settling of PAYMENT')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/^Settling of PAYMENT stands still \(since .*\): see the server's log/),
    })
  })

  it('DOCTOR-05 MUST understand a server that says reasons and warnings alone', async () => {
    answers['/health/ready'] = json(200, { status: 'ready', reasons: [], warnings: ['smpp: no bind is up'] })
    const { code, of } = await doctor()
    expect([code, of('readiness')?.text]).toEqual([1, expect.stringMatching(/^Smpp: no bind is up: /)])
  })

  it('DOCTOR-06 MUST ask for a token and the graph with a client that is given', async () => {
    const { code, of } = await doctor('--client', 'desk', '--secret-file', secretFile)
    expect(code).toBe(0)
    expect(of('tokens')?.text).toMatch(/gave desk a token/)
    expect(of('graph')?.text).toMatch(/answers an operation/)
    answers['/oauth2/accesstoken'] = json(401, { error: 'invalid_client' })
    const refused = await doctor('--client', 'desk', '--secret-file', secretFile)
    expect([refused.code, refused.of('tokens')?.text]).toEqual([
      2,
      expect.stringMatching(/^The token endpoint refused desk \(401, invalid_client\): see whether/),
    ])
  })

  it.each<[string, string, Answer, string]>([
    ['tokens', '/oauth2/accesstoken', json(500, {}), 'no client can sign in'],
    [
      'graph',
      '/graphql',
      json(503, { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] }),
      '503 SERVICE_UNAVAILABLE',
    ],
    ['readiness', '/health/ready', text('<html>'), 'the proxy before it'],
  ])('DOCTOR-07 MUST say what is broken: %s', async (check, path, answer, words) => {
    answers[path] = answer
    const { code, of } = await doctor()
    expect([code, of(check)]).toMatchObject([2, { status: 'broken', text: expect.stringContaining(words) }])
  })

  it('DOCTOR-08 MUST compare clocks, and bear the second that a header is rounded to', async () => {
    clockOffsetMs = -90_000
    const behind = await doctor()
    expect([behind.code, behind.of('server clock')?.text]).toEqual([
      1,
      expect.stringMatching(/^The server's clock is (89|90|91)(\.\d)? s behind this machine's/),
    ])
    clockOffsetMs = 3_600_000
    expect((await doctor()).of('server clock')?.status).toBe('broken')
    clockOffsetMs = 900
    expect((await doctor()).of('server clock')?.status).toBe('well')
  })

  it('DOCTOR-09 MUST take what waits from the metrics, where the database cannot be read', async () => {
    answers['/metrics'] = text(
      [
        'settling_lag_seconds{kind="PAYMENT"} 0.5',
        'settling_lag_seconds{kind="RECHARGE"} 42',
        'timeline_lag_seconds 90000 1690000000',
        'webhook_oldest_seconds 3',
        'transactions_quarantined{kind="PAYMENT"} 2',
        'no metric at all',
      ].join('\n'),
    )
    const { code, of } = await doctor()
    expect(code).toBe(2)
    expect(of('settling')).toMatchObject({
      status: 'degraded',
      text: expect.stringContaining('42 s: see whether'),
    })
    expect(of('timeline')).toMatchObject({ status: 'broken', text: expect.stringContaining('25 h') })
    expect(of('webhooks')).toMatchObject({ status: 'well' })
    expect(of('quarantine')).toMatchObject({
      status: 'degraded',
      text: expect.stringMatching(/^2 transaction/),
    })
  })

  it('DOCTOR-10 MUST count metrics that are not shown to it for nothing', async () => {
    answers['/metrics'] = json(401, {})
    const { code, of } = await doctor()
    expect([code, of('metrics')?.status]).toEqual([0, 'unchecked'])
  })

  it('DOCTOR-11 MUST end in time where a server answers nothing, or without end', async () => {
    answers['/graphql'] = () => undefined
    answers['/metrics'] = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    const began = performance.now()
    const { code, of } = await doctor('--timeout', '1')
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(code).toBe(2)
    expect(of('graph')?.text).toBe(
      "It could not be checked (no answer came within 1 s): see the server's log at this moment, and try again.",
    )
    expect(of('metrics')?.text).toMatch(/^It could not be checked \((the response is larger|no answer came)/)
  })

  it('DOCTOR-12 MUST say that there is no database, and make none', async () => {
    const { of } = await doctor()
    expect(of('database')).toMatchObject({ status: 'unchecked', text: expect.stringContaining('holds none') })
    expect(await createCli('memory:')('doctor', '--no-outside', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('in the memory of the server'),
    })
  })

  it('DOCTOR-13 MUST name every wrong setting, and check what it can', async () => {
    const wrong = createCli(folder, { LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' })
    const { code, stdout } = await wrong('doctor', '--url', url, '--json')
    const { findings } = JSON.parse(stdout)
    expect(code).toBe(2)
    expect(findings[0]).toMatchObject({ check: 'settings', status: 'broken' })
    expect(findings[0].text).toMatch(/DATABASE_URL must be .*; .*LOG_LEVEL must be/)
    expect(findings[1]).toMatchObject({ check: 'server', status: 'well' })
    const unknown = await wrong('doctor', '--json')
    expect(JSON.parse(unknown.stdout).findings[1].text).toContain('name it with --url')
  })

  it('DOCTOR-14 MUST measure a receiver by the rules of webhooks', async () => {
    const open = createCli(join(folder, 'data'), { WEBHOOK_ALLOW: '127.0.0.1' })
    const receiver = ['doctor', '--no-outside', '--no-inside', '--json', '--receiver']
    const reached = await open(...receiver, `${url}/hooks`)
    expect(JSON.parse(reached.stdout).findings).toEqual([
      {
        check: 'receiver',
        status: 'well',
        text: expect.stringMatching(/answers from here in \d+ ms \(HEAD, 404\)/),
      },
    ])
    const refused = await cli(...receiver, `${url}/hooks`)
    expect([refused.code, JSON.parse(refused.stdout).findings[0].text]).toEqual([
      2,
      expect.stringMatching(/must be an https address: name another address, or open it with WEBHOOK_ALLOW/),
    ])
    const away = await open(...receiver, 'http://127.0.0.1:1/')
    expect(JSON.parse(away.stdout).findings[0].text).toMatch(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached from here/,
    )
  })

  it('DOCTOR-15 MUST print a table for people, ending with the verdict', async () => {
    const { code, stdout } = await cli('doctor', '--url', url, '--no-inside')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^STATE +CHECK +FINDING\nWELL +server +It lives at /)
    expect(stdout).toMatch(/\n\nin all: well\n$/)
  })

  it.each([
    ['a client without its secret', ['--client', 'desk']],
    ['a secret that cannot be read', ['--client', 'desk', '--secret-file', '/nowhere/at/all']],
    ['an address that is none', ['--url', 'nowhere']],
    ['a limit that is none', ['--timeout', '0']],
  ])('DOCTOR-16 MUST be wrong usage: %s', async (_, options) => {
    const { code, stdout, stderr } = await cli('doctor', '--no-inside', '--no-outside', ...options)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: /)
  })
})
