/**
 * `npm run collection`: a collection of requests for Bruno in `examples/bruno/`, made from the OpenAPI documents of
 * `schema/`. It gets its token by itself, and each request is filled with the document's own example.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { projectPath } from '#core/config/project-files.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { bruno, FOLDER, folderOf, type GeneratedFile } from './bruno-requests.ts'

const AUTH = {
  mode: 'oauth2',
  oauth2: {
    grantType: 'client_credentials',
    accessTokenUrl: '{{address}}/oauth2/accesstoken',
    clientId: '{{clientId}}',
    clientSecret: '{{clientSecret}}',
    credentialsPlacement: 'basic_auth_header',
    credentialsId: 'partner-graph',
    tokenPlacement: 'header',
    tokenHeaderPrefix: 'Bearer',
    autoFetchToken: true,
  },
}

/** The demo's client has a secret that everybody knows; the template asks for one, which Bruno keeps out of its files. */
const environment = (
  name: string,
  values: Record<string, string>,
  secrets: readonly string[] = [],
): GeneratedFile => ({
  filename: `${FOLDER}/environments/${name}.bru`,
  content: bruno.envJsonToBruV2({
    variables: [
      ...Object.entries(values).map(([key, value]) => ({ name: key, value, enabled: true })),
      ...secrets.map(key => ({ name: key, enabled: true, secret: true })),
    ],
  }),
})

const NOTIFICATION_URL = 'https://hooks.example.com/telecom'

/** Makes every file of the collection. */
export function generateCollection(): GeneratedFile[] {
  const services = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)
  const names = [...services, 'partner'].filter(name =>
    existsSync(projectPath(`schema/${name}.openapi.yaml`)),
  )
  const settings = { version: '1', name: 'partner-graph', type: 'collection' }
  return [
    { filename: `${FOLDER}/bruno.json`, content: `${JSON.stringify(settings, null, 2)}\n` },
    { filename: `${FOLDER}/collection.bru`, content: `${bruno.jsonToCollectionBru({ auth: AUTH })}\n` },
    environment('demo', {
      address: 'http://127.0.0.1:4000',
      clientId: 'demo-partner',
      clientSecret: 'demo-partner-secret',
      notificationUrl: NOTIFICATION_URL,
    }),
    environment(
      'mine',
      { address: 'https://graph.example', clientId: 'my-partner', notificationUrl: NOTIFICATION_URL },
      ['clientSecret'],
    ),
    ...names.flatMap((name, index) => folderOf(name, index + 1)),
  ].map(({ filename, content }) => ({ filename, content: `${content.trimEnd()}\n` }))
}

/** Writes files that changed, and removes those that are made no more; with `--check`, fails where one is out of date. */
function main(check: boolean): void {
  const files = generateCollection()
  const isCurrent = ({ filename, content }: GeneratedFile) =>
    existsSync(projectPath(filename)) && readFileSync(projectPath(filename), 'utf8') === content
  const stale = files.filter(file => !isCurrent(file))
  const known = new Set(files.map(({ filename }) => filename))
  const left = globSync(`${FOLDER}/**/*.{bru,json}`, { cwd: projectPath('') }).filter(
    file => !known.has(file),
  )
  if (check) {
    const wrong = [...stale.map(({ filename }) => filename), ...left]
    if (wrong.length === 0) return
    console.error(`Run npm run collection: out of date are ${wrong.join(', ')}`)
    process.exitCode = 1
    return
  }
  for (const file of left) rmSync(projectPath(file))
  for (const { filename, content } of stale) {
    mkdirSync(dirname(projectPath(filename)), { recursive: true })
    writeFileSync(projectPath(filename), content)
  }
}

if (import.meta.main) main(process.argv.includes('--check'))
