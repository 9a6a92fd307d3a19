import {createHash} from 'node:crypto'

/** Extensions that readers of page folders recognise. */
const pageEnds = /\.(?:html?|md)$/i
const imageEnds = /\.(?:png|jpe?g|gif|svg|webp|bmp)$/i

const imageTypes: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'image/bmp': '.bmp',
}

/** Bytes that a name may have on every file system in use, less what a temporary name adds. */
const longestName = 200

/**
 * Where the bytes of an address are kept below the folder of a crawl: its path on the site if file systems allow it,
 * with an extension for its type.
 * @param type its media type, such as `text/html`
 * @param isTaken whether another address has that file
 */
export function fileFor(url: string, type: string, isTaken: (file: string) => boolean): string {
  const {pathname, search} = new URL(url)
  const segments = pathname.split('/').slice(1).map(readable)
  const last = segments.pop() || 'index'
  const folders = segments.map(folderName)
  const mark = `~${createHash('sha256').update(url).digest('hex').slice(0, 12)}`
  const end = extensionFor(last, type)
  const stem = last.endsWith(end) ? last.slice(0, last.length - end.length) : last
  const named = (marked: string) => [...folders, `${cut(stem)}${marked}${end}`].join('/')
  const plain = named(search === '' && isPlain(stem) ? '' : mark)
  return isTaken(plain) ? named(mark) : plain
}

function extensionFor(last: string, type: string): string {
  const image = imageTypes[type]
  const known = (image === undefined ? pageEnds : imageEnds).exec(last)?.[0]
  return known ?? image ?? (type === 'text/markdown' ? '.md' : '.html')
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment).replace(/[\\/\p{Cc}]/gu, '_')
  } catch {
    return segment
  }
}

/** A folder must not be called like a page or an image: `a.html` and `a.html/b.html` are two addresses. */
function folderName(name: string): string {
  if (!isPlain(name)) {
    return `${cut(name.replace(/^\.+/, '')) || '_'}~${createHash('sha256').update(name).digest('hex').slice(0, 12)}`
  }
  return pageEnds.test(name) || imageEnds.test(name) ? `${name}~` : name
}

/** Hidden names and those that no reader of folders looks into are not. */
function isPlain(name: string): boolean {
  return name !== '' && !name.startsWith('.') && name !== 'node_modules' && cut(name) === name
}

/** At most this many bytes of UTF-8, in whole characters. */
function cut(name: string): string {
  let bytes = 0
  let kept = ''
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > longestName) break
    kept += character
  }
  return kept
}
