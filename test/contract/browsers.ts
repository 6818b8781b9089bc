/** Browsers: CORS for pages of other origins, and the pages of the server itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { SERVICES } from '#subgraphs/names.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { Stack } from '../support/stack.ts'

/** A demo's: any port of this machine. */
const KNOWN = 'http://localhost:5173'
const UNKNOWN = 'https://elsewhere.test'
const [first] = FIXTURES

/** Where pages call, and by what. */
const CALLED: [method: string, path: string][] = [
  ['POST', '/graphql'],
  ['POST', '/graphql/stream'],
  ['POST', '/oauth2/accesstoken'],
  ...FIXTURES.map(({ path }): [string, string] => ['POST', path]),
]

const preflight = (method: string, headers = 'authorization,content-type') => ({
  'access-control-request-method': method,
  'access-control-request-headers': headers,
})

const schemaFile = (name: string) => readFileSync(join(import.meta.dirname, '../../schema', name), 'utf8')

/** CORS (Fetch standard §3.2), with the origins of a demo. */
export function auditCors(stack: () => Stack): void {
  const call = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(stack().address + path, { ...init, headers: { origin, ...(init.headers as object) } })

  it.each(CALLED)('CORS-01 MUST answer a preflight without a token: %s %s', async (method, path) => {
    const response = await call(path, KNOWN, { method: 'OPTIONS', headers: preflight(method) })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': KNOWN,
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it.each(CALLED)('CORS-02 MUST let a known origin read what is refused: %s %s', async (method, path) => {
    const response = await call(path, KNOWN, { method })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('access-control-allow-origin')).toBe(KNOWN)
    for (const name of [
      'x-correlator',
      'Location',
      'X-Total-Count',
      'Content-Last-Key',
      'Retry-After',
      'RateLimit',
    ])
      expect(response.headers.get('access-control-expose-headers')!.split(', ')).toContain(name)
  })

  it.each(['/nowhere', `${first!.path}?a`, '/%zz'])(
    'CORS-03 MUST say nothing to an unknown origin: %s',
    async path => {
      for (const init of [{}, { method: 'OPTIONS', headers: preflight('GET') }]) {
        const response = await call(path, UNKNOWN, init)
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  it('CORS-04 MUST leave probes out, which are guarded by the place that asks', async () => {
    for (const path of ['/metrics', '/health/live']) {
      const response = await call(path, KNOWN)
      expect(response.status).toBe(200)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
  })

  it('CORS-05 MUST take OPTIONS that is no preflight for the method that the path does not have', async () => {
    const { status } = await call(first!.path, KNOWN, { method: 'OPTIONS' })
    expect(status).toBe(405)
  })
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Front page, the page for operations, reference and what they load. */
export function auditPages(stack: () => Stack): void {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(stack().address + path, { headers })

  it.each(['/', '/graphql', '/reference'])(
    'PAGES-01 MUST show a browser a page that is bounded: %s',
    async path => {
      const response = await get(path, HTML)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = response.headers.get('content-security-policy')!
      for (const part of ["default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"])
        expect(policy).toContain(part)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('vary')).toBe('Origin, Accept, Accept-Encoding')
      const text = await response.text()
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\/|<script>| on\w+=/)
      const assets = [...text.matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)].map(([, asset]) => asset!)
      const loaded = await Promise.all(assets.map(asset => get(asset)))
      expect(loaded.map(({ status }) => status)).toEqual(assets.map(() => 200))
      for (const asset of loaded) await asset.body?.cancel()
    },
  )

  it('PAGES-02 MUST answer others as if there were no pages', async () => {
    expect(await (await get('/')).json()).toEqual({
      code: 'NOT_FOUND',
      status: '404',
      message: 'GET / not found',
    })
    expect((await get('/', { accept: 'application/json' })).status).toBe(404)
    for (const accept of [
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'text/event-stream',
    ])
      expect((await get('/graphql', { accept })).status).toBe(401)
  })

  it('PAGES-03 MUST send what a browser has as 304', async () => {
    for (const [path, accept] of [
      ['/', 'text/html'],
      ['/pages/pages.css', '*/*'],
      ['/schema.graphql', '*/*'],
    ] as const) {
      const etag = (await get(path, { accept })).headers.get('etag')!
      expect((await get(path, { accept, 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
      expect((await get(path, { accept, 'if-none-match': '"x"' })).status).toBe(200)
    }
  })

  it.each([
    '../register.ts',
    '..%2fregister.ts',
    '%2e%2e/register.ts',
    'graphql-ws/package.json',
    '',
    'x',
    '__proto__',
  ])('PAGES-04 MUST serve nothing but what pages load: %s', async name => {
    const response = await get(`/pages/${name}`)
    expect(response).toMatchObject({ status: 404 })
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  it.each(SERVICES.filter(({ rest }) => rest))(
    'PAGES-10 MUST serve the contract of $name',
    async ({ name }) => {
      const [yaml, json] = await Promise.all(['yaml', 'json'].map(type => get(`/openapi/${name}.${type}`)))
      const text = schemaFile(`${name}.openapi.yaml`)
      expect(await yaml!.text()).toBe(text)
      expect(await json!.json()).toEqual(parse(text))
      expect(yaml!.headers.get('content-type')).toContain('application/yaml')
    },
  )

  it('PAGES-11 MUST serve the schema that clients see, and no other path of the documents', async () => {
    expect(await (await get('/schema.graphql')).text()).toBe(schemaFile('api.graphql'))
    expect((await get('/openapi/activity.yaml')).status).toBe(404)
  })
}
