/** A kind of personal or internal data, its pattern, and the exceptions. */
interface Rule {
  kind: string
  pattern: RegExp
  is?: (found: RegExpMatchArray, text: string) => boolean
}

// Matrix products (`q@k.transpose`) and decorators look like e-mail addresses except for their end.
const topDomains =
  'com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|tech|cloud|cn|hk|tw|jp|kr|in|sg|ru|de|fr|uk|nl|ch|se|it|es|us|eu'

/** Default users of machines, placeholders, and other names that pages use below `/home`. */
const anyUser = new Set(
  [
    'user users username root ubuntu centos debian admin administrator public default shared runner jenkins',
    'work workspace developer hwhiaiuser ma-user linuxbrew test demo your my name me xyz foo xxx',
    'data app code build package packages install model models output input project src download dump extract',
    'log logs opp ascend cann op operator ops sample samples',
  ].flatMap((line) => line.split(' ')),
)

/** Gateways of home routers and of Docker, and first addresses: what tutorials use as sample addresses. */
const anyAddress = /^(?:192\.168\.[01]\.1|10\.0\.0\.[12]|172\.17\.0\.[12]|10\.10\.10\.10|192\.168\.1\.100)$/

const rules: readonly Rule[] = [
  {
    kind: 'e-mail address',
    pattern: new RegExp(`\\b[\\w.+-]{2,64}@(?:[a-z0-9-]+\\.)+(?:${topDomains})\\b(?![\\w/(:])`, 'gi'),
    is: ([found]) =>
      !/^(?:git|svn|hg|noreply|no-reply|user|username|name|you|your\.?\w*|someone)@|[@.]example\.|@domain\./i.test(
        found,
      ),
  },
  {
    kind: 'intranet address',
    pattern: /(?<![\w.-])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![\w.-]*\d)(?!\/\d)/g,
    is: isAddress,
  },
  {
    kind: 'phone number',
    pattern: /(?:\+86[- ]?|\(\+?86\)[- ]?)1[3-9]\d{9}(?!\d)|(?<![\d.-])1[3-9]\d-\d{4}-\d{4}(?![\d.-])/g,
  },
  {
    kind: 'phone number',
    pattern:
      /(?:手机|电话|联系方式|\btel|\bphone|\bmobile)[^\d\n+]{0,12}(?:1[3-9]\d{9}|\+\d[\d -]{8,16}\d|0\d{2,3}-\d{7,8})(?!\d)/gi,
  },
  {kind: 'identity number', pattern: /(?<!\w)[1-9]\d{16}[\dXx](?!\w)/g, is: isIdentityNumber},
  {
    kind: 'home folder',
    pattern: /(?:\/home\/|\/Users\/|\b[A-Z]:\\{1,2}Users\\{1,2})([A-Za-z][\w-]{1,31})[/\\]{1,2}\w/g,
    is: ([, user = '']) => !user.includes('_') && !anyUser.has(user.toLowerCase()),
  },
  {
    kind: 'employee number',
    pattern: /(?<![\w/#.])(?:[a-z]00|[a-z]{1,2}wx|[a-z]30|[a-z]50)\d{6,7}(?!\w)/gi,
    is: ([found], text) => /author|@|作者|工号|create|owner|modif|by /i.test(around(text, found, 40)),
  },
]

/**
 * The kind of personal or internal data in a text, never its text; undefined if there is none: e-mail, private network,
 * telephone, identity number (with its check digit), home folder, employee number next to a word for a person.
 */
export function personalDataIn(text: string): string | undefined {
  for (const {kind, pattern, is} of rules) {
    for (const found of text.matchAll(pattern)) if (!is || is(found, text)) return kind
  }
  return undefined
}

/** Four numbers below 256 that are not preceded by a word for a version. */
function isAddress({0: found, index = 0}: RegExpMatchArray, text: string): boolean {
  if (found.split('.').some((part) => Number(part) > 255)) return false
  if (anyAddress.test(found) || /\.0$/.test(found)) return false
  return !/(?:version|release|\bver|\bv|版本|driver|firmware|固件|驱动)[\s:：=*"'`|]*$/i.test(
    text.slice(Math.max(0, index - 24), index),
  )
}

/** A date of birth, and the check digit of GB 11643-1999. */
function isIdentityNumber([found]: RegExpMatchArray): boolean {
  const [year, month, day] = [found.slice(6, 10), found.slice(10, 12), found.slice(12, 14)].map(Number)
  if (!year || !month || !day || year < 1900 || year > 2100 || month > 12 || day > 31) return false
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(found[at]), 0)
  return found[17]?.toUpperCase() === '10X98765432'[sum % 11]
}

function around(text: string, found: string, characters: number): string {
  const at = text.indexOf(found)
  return text.slice(Math.max(0, at - characters), at + found.length + characters)
}
