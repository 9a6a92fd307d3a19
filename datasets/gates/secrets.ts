import {rules} from '@secretlint/secretlint-rule-preset-recommend'

/** A kind of credential and its pattern; `value` decides whether the first group can be one. */
interface Rule {
  kind: string
  pattern: RegExp
  value?: (text: string) => boolean
}

/** Prefixes and shapes that the preset below lacks, or only reports in configuration files. */
const issued: readonly Rule[] = [
  {kind: 'private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/},
  {kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/},
  {kind: 'Alibaba Cloud key', pattern: /\bLTAI[0-9A-Za-z]{12,28}\b/},
  {kind: 'Tencent Cloud key', pattern: /\bAKID[0-9A-Za-z]{28,36}\b/},
  {kind: 'Volcengine key', pattern: /\bAKLT[0-9A-Za-z]{28,60}\b/},
  {kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/},
  {kind: 'GitLab token', pattern: /\bgl(?:pat|ptt|rt|dt|ft)-[A-Za-z0-9_-]{20,}/},
  {kind: 'Hugging Face token', pattern: /\b(?:hf|api_org)_[A-Za-z]{30,}\b/},
  {kind: 'OpenAI-style key', pattern: /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}\b/},
  {kind: 'Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/},
  {kind: 'Slack token', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{20,}/},
  {kind: 'Stripe key', pattern: /\b[rs]k_(?:live|test)_[0-9A-Za-z]{20,}\b/},
  {kind: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{40,}/},
  {kind: 'JSON Web Token', pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/},
  {kind: 'webhook address', pattern: /hooks\.slack\.com\/services\/\w+\/\w+\/\w+|\/robot\/send\?access_token=\w{20,}/},
  {kind: 'bearer token', pattern: /\bBearer\s+([\w~+/.=-]{16,})/i, value: looksRandom},
  {kind: 'basic authorization', pattern: /\bAuthorization["']?\s*[:=]\s*["']?Basic\s+([A-Za-z0-9+/]{8,}={0,2})/i},
  {
    kind: 'credentials in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"<>${}]{0,64}:([^\s@/'"<>${}]{1,128})@[\w.-]+/i,
    value: isPassword,
  },
]

const quoted = String.raw`["'\x60]([^"'\x60\s]{4,200})["'\x60]`
const bare = String.raw`([^\s"'\x60<>(){},;，。；]{6,200})(?=[\s,;，。；]|$)`
const assigned = String.raw`["'\x60]?\s*(?:[:=：＝]|:=|=>|是|为)\s*`
const passwordName = String.raw`(?:password|passwd|passphrase|\bpwd|db_?pass|密码|口令)`
const keyName = [
  '(?:api|app|access|secret|private|auth|client|encryption|signing|account)[_-]?(?:key|token|secret)',
  '(?:key|token)[_-]?secret|secret|token|credential',
  String.raw`\b(?:ak|sk)|_(?:ak|sk)`,
].join('|')

/** Values that are named as credentials: in code, in a configuration, in a sentence. */
const named: readonly Rule[] = [
  {kind: 'password', pattern: new RegExp(`${passwordName}${assigned}${quoted}`, 'gi'), value: isPassword},
  {kind: 'password', pattern: new RegExp(`${passwordName}${assigned}${bare}`, 'gi'), value: isBarePassword},
  {kind: 'password option', pattern: /(?:sshpass\s+-p|--password[= ])\s*["']?([^\s"'$<>{}]{6,64})/g, value: isPassword},
  {kind: 'key', pattern: new RegExp(`(?:${keyName})(?:[_-]?id)?${assigned}${quoted}`, 'gi'), value: looksRandom},
  {kind: 'key', pattern: new RegExp(`(?:${keyName})(?:[_-]?id)?${assigned}${bare}`, 'gi'), value: looksRandom},
]

/**
 * The kind of credential in a text, never its text; undefined if there is none. Rules of `secretlint`'s recommended
 * preset, and our own: shapes with an issued prefix, and what a text itself calls a password, key or token. "High
 * entropy" alone proves nothing here: hashes, tensor dumps and generated names have it too.
 */
export async function secretIn(text: string): Promise<string | undefined> {
  const own = [...issued, ...named].find((rule) => holds(rule, text))
  if (own) return own.kind
  const found = (await presetFindings(text)).find(({range}) => !isPlaceholder(text.slice(...range)))
  return found && `${found.rule} (${found.message})`
}

function holds({pattern, value}: Rule, text: string): boolean {
  if (!value) return pattern.test(text)
  const all = pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`)
  for (const [, found = ''] of text.matchAll(all)) if (value(found)) return true
  return false
}

/** Placeholders for a reader's own secret. */
const placeholder =
  /x{3,}|\*{3,}|\.{3}|^[<$%{[]|your|example|sample|placeholder|change_?me|dummy|fake|redacted|secret_?here/i

const noValue =
  /^(?:test|none|null(?:ptr)?|nil|undefined|true|false|string|pass(?:word|wd)?|pwd|user(?:name)?|token|key)$/i

function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || noValue.test(value) || new Set(value).size < 3
}

function isPassword(value: string): boolean {
  return value.length >= 4 && !isPlaceholder(value) && !/^[$%&@]?\w*\(|^--?\w|\$\{|%[sd]/.test(value)
}

/** Without quotes, most of what follows the word is code or prose: a password has letters and digits, or a sign. */
function isBarePassword(value: string): boolean {
  return isPassword(value) && /[a-z]/i.test(value) && /\d/.test(value) && !/^[\w.]+(?:->|::|\.)\w|[[\]*&|]/.test(value)
}

/** Letters and digits without a dictionary word: names, paths and numbers are recognised by their parts. */
function looksRandom(value: string): boolean {
  if (value.length < 16 || isPlaceholder(value) || /[^\w+/.=~-]/.test(value)) return false
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || /^0x[\da-f]+$/i.test(value)) return false
  const words = value.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g)?.join('').length ?? 0
  return entropy(value) >= 3 && words < value.length / 2
}

/** Shannon entropy, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

interface Finding {
  /** The rule's name, without the common prefix. */
  rule: string
  message: string
  range: readonly [start: number, end: number]
}

// Skipped, because this rule lets a text disable checks with `secretlint-disable`.
const scanners = rules.filter(({meta}) => meta.type === 'scanner' && !meta.id.endsWith('-filter-comments'))

/**
 * What the rules of secretlint's preset find in a text, in its order. The rules are called without `@secretlint/core`:
 * it records 70 performance marks per text in a list that lives as long as the process and is searched at every mark,
 * so that time grew with the square of the number of texts.
 */
export async function presetFindings(text: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const source = sourceOf(text)
  for (const {meta, create} of scanners) {
    const rule = meta.id.replace(/^.*secretlint-rule-/, '')
    const scanner = create(
      {
        sharedOptions: {},
        // A rule's message may quote the secret: its name is enough.
        createTranslator: () => (messageId, data) => ({message: '', messageId: String(messageId), data}),
        report: ({message: {messageId}, range}) => void findings.push({rule, message: messageId, range}),
        ignore: () => undefined,
      },
      {},
    )
    await scanner.file?.(source)
  }
  return findings.sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1])
}

/** A file object for that text; rules only read its text. */
function sourceOf(content: string) {
  const unknown = () => {
    throw new TypeError('a rule asked for lines of a text')
  }
  return {
    content,
    hasBOM: false,
    filePath: 'text.txt',
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '.txt',
    getFilePath: () => 'text.txt',
    getPhysicalFilePath: () => undefined,
    locationToRange: unknown,
    rangeToLocation: unknown,
    positionToIndex: unknown,
    indexToPosition: unknown,
  } as const
}
