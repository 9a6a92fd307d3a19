import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {withoutQuery} from '../../engine/retrying-fetch.ts'

const Paths = z.union([z.string().transform((path) => [path]), z.array(z.string())])

/** A handwritten card; what is not understood is ignored. */
const CardData = z
  .object({
    license: z.string().optional().catch(undefined),
    configs: z
      .array(
        z.object({
          config_name: z.string(),
          data_files: z
            .union([
              z.array(z.object({split: z.string(), path: Paths})),
              Paths.transform((path) => [{split: 'train', path}]),
            ])
            .catch([]),
        }),
      )
      .catch([]),
  })
  .transform(({license, configs}) => ({
    licence: license,
    configs: configs.map(({config_name: name, data_files: files}) => ({
      name,
      files: files.map(({split, path}) => ({split, paths: path})),
    })),
  }))

/** How to access a Hub: huggingface.co, or a server with the same API. */
export interface HubAccess {
  /** Without a slash at its end, e.g. `https://huggingface.co`. */
  endpoint: string
  /** If absent, only public repositories are visible. */
  token?: string | undefined
  fetch: typeof fetch
}

/** The type of a repository on the Hub. */
export type HubKind = 'dataset' | 'model'

/** A data set or model on the Hub at one commit. */
export interface HubDataset {
  /** The commit. */
  sha: string
  private: boolean
  /** The Hub's key of the licence that the card states, such as `apache-2.0`; undefined if it states none. */
  licence: string | undefined
  /** What a data set's card declares, in its order: configurations, and the patterns of the files of their splits. */
  configs: {name: string; files: {split: string; paths: string[]}[]}[]
}

/** A file of a commit. Large files have a SHA-256, others the id that git gives their bytes. */
export interface HubFile {
  path: string
  bytes: number
  sha256?: string
  gitId?: string
}

/** The arguments of every call to the library. Tokens travel in a header, never in an address. */
export function hubArguments({endpoint, token, fetch}: HubAccess) {
  return {hubUrl: endpoint, fetch, ...(token === undefined ? {} : {accessToken: token})}
}

/** The owner of the token. @throws PipelineError `key-missing` for a token that the Hub does not know */
export async function hubUser(hub: HubAccess): Promise<string> {
  const {whoAmI} = await import('@huggingface/hub')
  const {accessToken = '', ...access} = hubArguments(hub)
  try {
    return (await whoAmI({...access, accessToken})).name
  } catch (error) {
    throw asHubError(error, hub, 'The token was not accepted')
  }
}

/**
 * The data set or model at a revision, by default the newest commit; undefined if it does not exist or the token may
 * not see it: the Hub does not distinguish them.
 * @throws PipelineError `endpoint-unreachable`, `endpoint-rejected` or `endpoint-overloaded`
 */
export async function hubDataset(
  hub: HubAccess,
  name: string,
  revision = 'main',
  kind: HubKind = 'dataset',
): Promise<HubDataset | undefined> {
  const {datasetInfo, modelInfo} = await import('@huggingface/hub')
  try {
    const asked = {...hubArguments(hub), name, revision}
    const found = await (kind === 'model'
      ? modelInfo({...asked, additionalFields: ['sha', 'cardData']})
      : datasetInfo({...asked, additionalFields: ['sha', 'cardData']}))
    const card: unknown = found.cardData ?? {}
    return {sha: found.sha, private: found.private, ...CardData.parse(card)}
  } catch (error) {
    if (isHubError(error) && [401, 404].includes(error.statusCode)) return undefined
    throw asHubError(error, hub, `The ${nounOf(kind)} ${name} could not be looked up`)
  }
}

/** Its name in messages. */
export const nounOf = (kind: HubKind) => (kind === 'model' ? 'model' : 'data set')

/** All files of a commit. */
export async function hubFiles(
  hub: HubAccess,
  name: string,
  sha: string,
  kind: HubKind = 'dataset',
): Promise<HubFile[]> {
  const {listFiles} = await import('@huggingface/hub')
  const files: HubFile[] = []
  try {
    for await (const entry of listFiles({
      ...hubArguments(hub),
      repo: {type: kind, name},
      revision: sha,
      recursive: true,
    })) {
      const {type, path, size, lfs, oid} = entry
      if (type !== 'file') continue
      if (lfs) files.push({path, bytes: lfs.size, sha256: lfs.oid})
      else files.push({path, bytes: size, ...(oid === undefined ? {} : {gitId: oid})})
    }
  } catch (error) {
    throw asHubError(error, hub, `The files of ${name} could not be listed`)
  }
  return files
}

/** The parts of the library's errors that we read; its own types would require Node's types of a user's compiler. */
interface HubApiError extends Error {
  statusCode: number
  url: string
  data?: Record<string, unknown>
}

/** Checked by shape: the library, and its error class, are loaded only on use. */
export function isHubError(error: unknown): error is HubApiError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

/** What a refusal by the Hub means for the user; other errors are passed through. */
export function asHubError(error: unknown, hub: HubAccess, what: string): unknown {
  if (!isHubError(error)) return error
  const {statusCode: status, url} = error
  const address = withoutQuery(url)
  const said = wordsOf(error)
  const [code, fix] = meanings(hub)[status] ?? [
    status >= 500 ? ('endpoint-overloaded' as const) : ('endpoint-rejected' as const),
    'Run the command again later; it resumes where it stopped.',
  ]
  const message = `${what}: ${hub.endpoint} answered ${status}${said === '' ? '' : ` (${said})`}.`
  return new PipelineError(code, message, {fix, scope: 'run', evidence: {status, url: address, said}})
}

function meanings(
  hub: HubAccess,
): Record<number, ['endpoint-rejected' | 'key-missing' | 'endpoint-overloaded', string]> {
  const write = `a token with write access to that name (${hub.endpoint}/settings/tokens)`
  const room = `Free some space or extend the plan (${hub.endpoint}/settings/billing), then run the command again.`
  return {
    401: ['key-missing', `Set HF_TOKEN to your own valid token: ${hub.endpoint}/settings/tokens.`],
    402: ['endpoint-rejected', room],
    403: ['endpoint-rejected', `Use ${write}, or a name of your own. If storage is short: ${room}`],
    404: [
      'endpoint-rejected',
      `Check the spelling of owner and name; the owner must exist. For a private data set, use ${write}.`,
    ],
    412: ['endpoint-rejected', 'Someone else committed meanwhile. Run the command again and check the differences.'],
    413: ['endpoint-rejected', `A file is larger than the Hub accepts, or the storage is full. ${room}`],
    429: ['endpoint-overloaded', 'Wait a few minutes, then run the command again; it resumes where it stopped.'],
    507: ['endpoint-rejected', room],
  }
}

/** The Hub's message, without the address and request id that the library adds. */
function wordsOf({message, data}: HubApiError): string {
  const own = [data?.['error'], data?.['message']].find((one) => typeof one === 'string' && one !== '')
  const general = /^Api error/.test(message) ? '' : message
  const [text = ''] = (typeof own === 'string' ? own : general).split(/\. URL: /)
  return text.replace(/\s+/g, ' ').slice(0, 300).trim()
}
