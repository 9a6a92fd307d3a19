import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {HubAccess} from '../../datasets/hub/hub.ts'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {randomFrom} from '../../engine/random.ts'
import {retryingFetch, type RetryOptions} from '../../engine/retrying-fetch.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How this machine accesses the Hub: the address of `HF_ENDPOINT`, and the token of `HF_TOKEN` or of the file in which
 * the Hub's own tools keep it. A token is never an argument and never in the configuration.
 * @throws PipelineError `config-invalid` for an address, `key-missing` for a malformed token
 */
export async function hubAccess(env: Environment, options: Omit<RetryOptions, 'random'>): Promise<HubAccess> {
  const endpoint = endpointOf(env)
  return {
    endpoint,
    token: await hubToken(env),
    // Before a commit is sent again, the Hub is checked for it.
    fetch: retryingFetch({
      ...options,
      random: randomFrom('hub', endpoint, options.now()).unit,
      once: (url) => new URL(url).pathname.includes('/commit/'),
    }),
  }
}

function endpointOf({HF_ENDPOINT: given = ''}: Environment): string {
  if (given.trim() === '') return 'https://huggingface.co'
  const address = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined
  if (address && /^https?:$/.test(address.protocol) && address.username === '' && address.search === '')
    return `${address.origin}${address.pathname}`.replace(/\/+$/, '')
  throw new PipelineError('config-invalid', 'HF_ENDPOINT is not the address of a Hub.', {
    fix: 'Set it to an address such as https://huggingface.co, without user, password and ?, or unset it.',
  })
}

/** In the order of the Hub's own tools; undefined if not logged in. */
async function hubToken(env: Environment): Promise<string | undefined> {
  const given = env['HF_TOKEN']?.trim()
  if (given) return checkedToken(given, 'HF_TOKEN')
  const file = tokenFile(env)
  if (file === undefined) return undefined
  try {
    const kept = (await readFile(file, 'utf8')).trim()
    return kept === '' ? undefined : checkedToken(kept, file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].some((code) => isSystemError(error, code))) return undefined
    throw error
  }
}

/** See https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables. */
function tokenFile({HF_TOKEN_PATH, HF_HOME, XDG_CACHE_HOME, HOME}: Environment): string | undefined {
  if (HF_TOKEN_PATH) return HF_TOKEN_PATH
  if (HF_HOME) return join(HF_HOME, 'token')
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'huggingface', 'token')
  return HOME ? join(HOME, '.cache', 'huggingface', 'token') : undefined
}

function checkedToken(token: string, from: string): string {
  if (/^hf_[\x21-\x7e]+$/.test(token)) return token
  throw new PipelineError(
    'key-missing',
    `${from} does not hold a Hub token, which begins with hf_ and has no spaces.`,
    {
      fix: 'Set HF_TOKEN to your token: https://huggingface.co/settings/tokens.',
    },
  )
}
