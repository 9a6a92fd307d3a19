const keywords = new Set(
  [
    'alignas auto bool break case char class const constexpr continue decltype default delete do double else enum',
    'extern false float for friend goto half if inline int long namespace new nullptr operator private public register',
    'reinterpret_cast return short signed sizeof static static_cast struct switch template this throw true try typedef',
    'typename union unsigned using virtual void volatile while T std',
  ].flatMap((line) => line.split(' ')),
)
const macroNames = /_t$|^__|^U?INT\d+_M|^GM_ADDR$|^MASK_PLACEHOLDER$|^PIPE_|^EVENT_ID\d$/

/** Context characters around a name that identify it. */
const nearby = 300

/** Names that the statements use and do not declare: not members, not qualified, not called, not types. */
export function freeNames(bare: string): string[] {
  const found = new Set<string>()
  for (const match of bare.matchAll(/(?<![\w.]|->|::)([A-Za-z_]\w*)(?!\w)(?!\s*::)/g)) {
    const name = match[1]!
    const end = match.index + name.length
    const after = bare.slice(end, end + nearby)
    const before = bare.slice(Math.max(0, match.index - nearby), match.index)
    if (!isKnown(name) && !isCalled(after) && !isType(name, after) && !isDeclaredHere(before, after)) found.add(name)
  }
  for (const name of declaredNames(bare)) found.delete(name)
  return [...found]
}

function isKnown(name: string): boolean {
  return keywords.has(name) || macroNames.test(name)
}

function isCalled(after: string): boolean {
  return /^\s*\(/.test(after) || /^\s*<[^;()=]*>\s*[\w(&{]/.test(after)
}

/** By its spelling, or because a variable's name follows. */
function isType(name: string, after: string): boolean {
  return /^[A-Z][a-z]/.test(name) || /^\s+[A-Za-z_]/.test(after) || /^[&*]\s+[A-Za-z_]\w*\s*[=;,(]/.test(after)
}

/** A type before it and an end or a value after it. */
function isDeclaredHere(before: string, after: string): boolean {
  return (
    /[\w>&*]\s+[&*]?$/.test(before) &&
    !/\b(?:return|else|case)\s+$/.test(before) &&
    /^\s*(?:[=;,({[:]|$)/.test(after) &&
    !/[-+*/%<>=!&|]\s*$/.test(before.replace(/>\s+$/, ''))
  )
}

const simpleType = String.raw`auto|bool|int|float|half|double|unsigned|[a-z]\w*_t`
const apiType = String.raw`(?:\w+::)*[A-Z]\w*(?:<[^;=]*?>)?(?:::\w+)?|std::\w+(?:<[^;=]*?>)?`
const qualifier = `const|constexpr|static|struct|__(?:ubuf|gm|cbuf|ca|cb|cc|fbuf|biasbuf)__`
const declaredType = String.raw`(?:(?:${qualifier})\s+)*(?:${simpleType}|${apiType})\s*[&*]?\s+[&*]?`
const declaredList = String.raw`([A-Za-z_]\w*)((?:\s*,\s*[A-Za-z_]\w*)*)\s*(?=[=;,({[:])`
const declaration = new RegExp(String.raw`(?:^|[;{}(])[^\S\r\n]*${declaredType}${declaredList}`, 'gm')

function declaredNames(bare: string): string[] {
  return [...bare.matchAll(declaration)].flatMap((match) => [match[1]!, ...(match[2]!.match(/[A-Za-z_]\w*/g) ?? [])])
}
