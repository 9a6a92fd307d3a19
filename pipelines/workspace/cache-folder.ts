import {existsSync} from 'node:fs'
import {isAbsolute, join} from 'node:path'

/** In the working folder: where the cache was before folders shared it. */
const own = '.ascend-cot'

/**
 * Where this platform keeps what programs of a user keep for later: `$XDG_CACHE_HOME/ascend-cot` (XDG Base Directory
 * Specification), `~/.cache/ascend-cot` without the variable, `~/Library/Caches/ascend-cot` on macOS. A folder
 * `.ascend-cot` that is there already goes on being used: it holds replies that were paid for.
 */
export function cacheFolder({XDG_CACHE_HOME: given, HOME: home}: Readonly<Record<string, string | undefined>>): string {
  if (existsSync(own)) return own
  // A relative one counts as none, says the specification.
  if (given !== undefined && isAbsolute(given)) return join(given, 'ascend-cot')
  if (home === undefined || home === '') return own
  return join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'ascend-cot')
}
