import {existsSync} from 'node:fs'
import {isAbsolute, join} from 'node:path'

/** In the working folder: the location of the cache before it was shared. */
const own = '.ascend-cot'

/**
 * This platform's cache folder for a user's programs: `$XDG_CACHE_HOME/ascend-cot` (XDG Base Directory Specification),
 * `~/.cache/ascend-cot` without the variable, `~/Library/Caches/ascend-cot` on macOS. An existing folder `.ascend-cot`
 * is still used: it holds replies that were paid for.
 */
export function cacheFolder({XDG_CACHE_HOME: given, HOME: home}: Readonly<Record<string, string | undefined>>): string {
  if (existsSync(own)) return own
  // The specification says to ignore a relative path.
  if (given !== undefined && isAbsolute(given)) return join(given, 'ascend-cot')
  if (home === undefined || home === '') return own
  return join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'ascend-cot')
}
