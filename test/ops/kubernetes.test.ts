/** The manifests of ops/kubernetes fit the schemas that Kubernetes publishes, and each other. */
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { SETTINGS } from '#core/config/settings.ts'
import { readText } from '../support/sources.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a form of its own, which its schema checks.
  readonly [more: string]: any
}

const manifests = parseAllDocuments(readText('ops/kubernetes/partner-graph.yaml')).map(document => {
  expect(document.errors).toEqual([])
  return document.toJS() as Manifest
})
const kind = (name: string): Manifest => manifests.find(manifest => manifest.kind === name)!

type Model = new (manifest: Manifest) => { validate(): void }

const modelOf = async ({ apiVersion, kind: name }: Manifest): Promise<Model> => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const models = await import(`kubernetes-models/${[group, version].filter(Boolean).join('/')}`)
  return models[name] as Model
}

describe('a manifest', () => {
  it.each(manifests.map(manifest => [manifest.kind, manifest] as const))(
    'fits its published schema: %s',
    async (_, manifest) => {
      const Model = await modelOf(manifest)
      expect(() => new Model(manifest).validate()).not.toThrow()
    },
  )

  it('is refused by its schema where it is wrong', async () => {
    const deployment = kind('Deployment')
    const Model = await modelOf(deployment)
    const wrong = { ...deployment, spec: { ...deployment['spec'], replicas: 'two' } }
    expect(() => new Model(wrong).validate()).toThrow('replicas')
  })
})

describe('the manifests', () => {
  const pods = ['Job', 'Deployment'].map(name => kind(name)['spec'].template)

  it('stand in one namespace, which is made first', () => {
    expect(manifests[0]).toMatchObject({ kind: 'Namespace' })
    const namespaces = manifests.slice(1).map(({ metadata }) => metadata.namespace)
    expect(new Set(namespaces)).toEqual(new Set([manifests[0]!.metadata.name]))
  })

  it('run the image without rights, on a root file system that cannot be written to', () => {
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('select the pods of the deployment, and none of the job', () => {
    const [job, server] = pods.map(({ metadata }) => metadata.labels)
    const selects = [
      kind('Deployment')['spec'].selector.matchLabels,
      kind('Service')['spec'].selector,
      kind('PodDisruptionBudget')['spec'].selector.matchLabels,
    ]
    for (const labels of selects) {
      expect(server).toMatchObject(labels)
      expect(job).not.toMatchObject(labels)
    }
  })

  it('set settings that exist', () => {
    const known = Object.keys(SETTINGS).flatMap(name => [name, `${name}_FILE`])
    expect(known).toEqual(expect.arrayContaining(Object.keys(kind('ConfigMap')['data'])))
  })
})
