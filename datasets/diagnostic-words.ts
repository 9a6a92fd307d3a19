/** Placeholder for whatever a candidate named, and for the content of angle brackets. */
const placeholder = '…'

/**
 * Messages of g++ in the words of clang, so that the same fault reads the same under either compiler. Other messages
 * are unchanged.
 */
const clangSays: readonly [RegExp, string][] = [
  [/^'([^']*)' was not declared in this scope(?:; did you mean '([^']*)'\?)?.*$/, "use of undeclared identifier '$1'"],
  [/^'([^']*)' does not name a type(?:; did you mean '([^']*)'\?)?$/, "unknown type name '$1'"],
  [/^'([^']*)' has not been declared$/, "use of undeclared identifier '$1'"],
  [/^'([^']*)' is not a member of '([^']*)'.*$/, "no member named '$1' in namespace '$2'"],
  [/^'(?:class |struct )?([^']*)' has no member named '([^']*)'.*$/, "no member named '$2' in '$1'"],
  [/^could not convert '.*?' from '([^']*)' to '([^']*)'$/, "no viable conversion from '$1' to '$2'"],
  [/^conversion from '([^']*)' to non-scalar type '([^']*)' requested$/, "no viable conversion from '$1' to '$2'"],
  [/^static assertion failed due to requirement '.*?'(?=:|$)/, 'static assertion failed'],
  [/^(no matching )member (function)/, '$1$2'],
  [/^(expected .*) before .*$/, '$1'],
]

/** Why an overload does not fit: messages of both compilers without their prefixes. */
const reasonShapes: readonly [RegExp, string][] = [
  [/^candidate(?: \([^()]*\))?(?: [\w ]+?)?(?: \([^()]*\))? (?:ignored|not viable): (.*)$/, '$1'],
  [/^ *(deduced conflicting types for parameter '.*)$/, '$1'],
  [/^ *candidate expects (?:at (?:least|most) )?(\d+) arguments?, (\d+) provided$/, 'requires $1 arguments, but $2'],
  [/^ *'([^']*)' is not derived from '([^']*)'$/, "could not match '$2' against '$1'"],
  [/^ *mismatched types '([^']*)' and '([^']*)'$/, "could not match '$1' against '$2'"],
  [/^ *no known conversion for argument (\d+) from '([^']*)' to '([^']*)'$/, "no known conversion from '$2' to '$3'"],
  [/^ *couldn't deduce template parameter '([^']*)'$/, "couldn't infer template argument '$1'"],
]

/** Scalar types differ from one instantiation to the next; their kind of value does not. */
const scalars: Readonly<Record<string, string>> = {
  bool: 'bool',
  ...kind('floating point', 'float half double bfloat16_t float16_t float32_t _Float16'),
  ...kind('integer', 'char short int long unsigned signed size_t int8_t int16_t int32_t int64_t'),
  ...kind('integer', 'uint8_t uint16_t uint32_t uint64_t int4b_t __int128'),
}

function kind(name: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, name]))
}

/** Words of the language and namespaces that do not belong to a candidate. */
const language = new Set(
  `if else for while do switch case default break continue return goto new delete this operator template typename class
  struct union enum using namespace static inline virtual public private protected friend void auto nullptr true false
  sizeof static_cast reinterpret_cast const_cast dynamic_cast extern typedef try catch throw decltype constexpr
  AscendC std ge gert optiling platform_ascendc std GM_ADDR`.split(/\s+/),
)

/** A message of either compiler, in the words of clang. */
export function asClangSays(message: string): string {
  const plain = withoutArguments(message).replace(/ \(aka '[^']*'\)/g, '')
  const shape = clangSays.find(([pattern]) => pattern.test(plain))
  return shape ? plain.replace(...shape) : plain
}

/** The name that clang suggests, if it does. */
export function suggestion(message: string): string {
  return /did you mean (?:to use )?'(?:\w+::)*(\w+)'\?/.exec(message)?.[1] ?? ''
}

/** Why a note's overload does not fit; undefined if the note says something else. */
export function mismatch(note: string): string | undefined {
  if (/^candidate constructor \(the implicit/.test(note)) return undefined
  const shape = reasonShapes.find(([pattern]) => pattern.test(note))
  return (
    shape &&
    asClangSays(note)
      .replace(/^ */, '')
      .replace(...shape)
  )
}

/** `function 'f(int, float)'`: g++ adds the types of the call, which are not part of the name. */
function withoutArguments(message: string): string {
  return message.replace(
    /^((?:no matching function for call to|call of overloaded) ')(?:[^'(]*::)?([\w~]+)[^'(]*\(.*\)'/,
    "$1$2'",
  )
}

/**
 * A message with placeholders for everything that a candidate chose: names, numbers and template arguments. Names that
 * satisfy `isKnown` are kept, and so are keywords.
 */
export function normalSentence(sentence: string, isKnown: (name: string) => boolean): string {
  return sentence
    .replace(/; did you mean[^?]*\?/, '')
    .split(/('(?:[^']|'(?=[^\s,;:.)]))*')/)
    .map((part, index) => (index % 2 === 1 ? `'${normalCode(part.slice(1, -1), isKnown)}'` : withoutValues(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const withoutValues = (text: string) => text.replace(/"[^"]*"/g, `"${placeholder}"`).replace(/\b\d+\b/g, '#')

function normalCode(code: string, isKnown: (name: string) => boolean): string {
  const flat = withoutTemplateArguments(code)
    .replace(/__attribute__\(\((?:[^()]|\([^()]*\))*\)\) ?/g, '')
    .replace(/\b(?:const|volatile|struct|class|__gm__|__ubuf__|__restrict__)\b ?/g, '')
    .replace(/ ?&+$/, '')
    .replace(/\bunsigned (?:long|int|short|char)\b(?: int)?/g, 'unsigned')
    .replace(/\b(?:AscendC|std)::(?=\w)/g, '')
  const named = flat.replace(/[A-Za-z_]\w*|\d[\w.]*/g, (word) => {
    if (/^\d/.test(word)) return '#'
    return scalars[word] ?? (isKnown(word) || language.has(word) ? word : placeholder)
  })
  return named.replace(/…(?:(?:::|<…>)…?)*/g, (run) => (run.endsWith('::') ? run : placeholder)).trim()
}

/** `A<B<C>, 1>` → `A<…>`. Comparisons and shifts in quoted code are unchanged. */
function withoutTemplateArguments(code: string): string {
  let text = code
  for (;;) {
    const shorter = text.replace(/(\w)<(?:[^<>]|<…>)*>(?!…)/g, (whole, before: string) =>
      whole.endsWith('<…>') && whole.length === 4 ? whole : `${before}<${placeholder}>`,
    )
    if (shorter === text) return text
    text = shorter
  }
}

/** The names in quotes, in order, without the content of angle brackets. */
export function quotedNames(sentence: string): string[] {
  const quoted = [...sentence.replace(/; did you mean.*/, '').matchAll(/'([^']*)'/g)]
  return quoted.flatMap(([, code = '']) => [...withoutTemplateArguments(code).matchAll(/[A-Za-z_]\w*/g)].map(String))
}

/** Whether a word is a type or word of the language, so that no API page is about it. */
export const isOfLanguage = (word: string) => language.has(word) || word in scalars
