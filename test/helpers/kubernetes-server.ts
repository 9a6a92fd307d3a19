import {createServer, type IncomingMessage} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {writeWhole} from '../../engine/files.ts'

type Fields = Record<string, unknown>

interface Kind {
  group: string
  version: string
  kind: string
  plural: string
}

const kinds: readonly Kind[] = [
  {group: 'batch.volcano.sh', version: 'v1alpha1', kind: 'Job', plural: 'jobs'},
  {group: 'kubeflow.org', version: 'v1', kind: 'PyTorchJob', plural: 'pytorchjobs'},
]

export interface KubernetesServer {
  /** What kubectl is to be called with. */
  env: Record<string, string | undefined>
  /** Objects by `<plural>/<namespace>/<name>`. */
  objects: Map<string, Fields>
  pods: Fields[]
  requests: string[]
}

/**
 * As much of an API server as `kubectl create`, `get` and `delete` of these kinds need. It keeps objects, and runs
 * none: a test says what their operators would.
 */
export async function kubernetesServer(folder: string): Promise<KubernetesServer> {
  const objects = new Map<string, Fields>()
  const [pods, requests]: [Fields[], string[]] = [[], []]
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const [status, body] = answer(request, await bodyOf(request), {objects, pods})
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const config = join(folder, 'kubeconfig')
  await writeWhole(config, configOf(port))
  return {env: {PATH: process.env['PATH'], HOME: folder, KUBECONFIG: config}, objects, pods, requests}
}

const configOf = (port: number) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'loopback', cluster: {server: `http://127.0.0.1:${port}`}}],
    users: [{name: 'nobody', user: {}}],
    contexts: [{name: 'test', context: {cluster: 'loopback', user: 'nobody'}}],
    'current-context': 'test',
  })

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

type Kept = Pick<KubernetesServer, 'objects' | 'pods'>

function answer({method, url = ''}: IncomingMessage, body: string, kept: Kept): [number, Fields] {
  const {pathname} = new URL(url, 'http://loopback')
  const discovered = discovery(pathname)
  if (discovered) return [200, discovered]
  const place =
    /^\/(?:apis\/(?<group>[^/]+)\/[^/]+|api\/v1)\/namespaces\/(?<namespace>[^/]+)\/(?<plural>[^/]+)(?:\/(?<name>.+))?$/
  const {group = '', namespace = '', plural = '', name = ''} = place.exec(pathname)?.groups ?? {}
  if (group === '' && plural === 'pods') return [200, {apiVersion: 'v1', kind: 'PodList', items: kept.pods}]
  const kind = kinds.find((one) => one.group === group && one.plural === plural)
  if (!kind) return failure(404, 'NotFound', `the server could not find the requested resource ${pathname}`)
  if (method === 'POST') return created(kind, namespace, body, kept)
  const key = `${plural}/${namespace}/${name}`
  const found = kept.objects.get(key)
  if (!found) return failure(404, 'NotFound', `${plural}.${group} "${name}" not found`)
  if (method === 'DELETE') kept.objects.delete(key)
  return method === 'DELETE' ? [200, {kind: 'Status', apiVersion: 'v1', status: 'Success'}] : [200, found]
}

function created(kind: Kind, namespace: string, body: string, {objects}: Kept): [number, Fields] {
  const object = JSON.parse(body) as {metadata: {name: string}} & Fields
  const key = `${kind.plural}/${namespace}/${object.metadata.name}`
  if (objects.has(key)) return failure(409, 'AlreadyExists', `${kind.plural} "${object.metadata.name}" already exists`)
  objects.set(key, object)
  return [201, object]
}

const failure = (code: number, reason: string, message: string): [number, Fields] => [
  code,
  {kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code},
]

function discovery(path: string): Fields | undefined {
  if (path === '/version') return {major: '1', minor: '32', gitVersion: 'v1.32.0'}
  if (path === '/api') return {kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: []}
  if (path === '/api/v1') return resources('v1', [{name: 'pods', kind: 'Pod'}])
  if (path === '/apis') return {kind: 'APIGroupList', apiVersion: 'v1', groups: kinds.map(groupOf)}
  if (path === '/openapi/v3')
    return {
      paths: Object.fromEntries(kinds.map((kind) => [apiOf(kind), {serverRelativeURL: `/openapi/v3/${apiOf(kind)}`}])),
    }
  const kind = kinds.find((one) => path.endsWith(apiOf(one)))
  if (!kind) return undefined
  return path.startsWith('/openapi')
    ? description(kind)
    : resources(apiOf(kind).slice(5), [{name: kind.plural, kind: kind.kind}])
}

const apiOf = ({group, version}: Kind) => `apis/${group}/${version}`

function groupOf({group, version}: Kind): Fields {
  const versions = [{groupVersion: `${group}/${version}`, version}]
  return {name: group, versions, preferredVersion: versions[0]}
}

function resources(groupVersion: string, list: readonly {name: string; kind: string}[]): Fields {
  const verbs = ['create', 'delete', 'get', 'list', 'patch']
  const entries = list.map((one) => ({...one, singularName: one.kind.toLowerCase(), namespaced: true, verbs}))
  return {kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: entries}
}

/** That the server checks fields by itself, which is what kubectl looks for. */
function description(kind: Kind): Fields {
  const {group, version} = kind
  const patch = {
    parameters: [{name: 'fieldValidation', in: 'query', schema: {type: 'string'}}],
    'x-kubernetes-group-version-kind': {group, version, kind: kind.kind},
    'x-kubernetes-action': 'patch',
    responses: {},
  }
  const path = `/${apiOf(kind)}/namespaces/{namespace}/${kind.plural}/{name}`
  return {openapi: '3.0.0', info: {title: 'loopback', version: '1'}, paths: {[path]: {patch}}}
}
