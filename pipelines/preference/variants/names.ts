import {withoutComments} from '../../../cpp/code-pieces.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {literalValue, tokenize} from '../../../cpp/tokens.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {foundIn, viewSource, type SourceView} from '../../../cpp/source-view.ts'
import {classesOf, definitionsOf, fieldsOf, methodsOf} from './definitions.ts'
import {isReachedInOwnOnly, ownMembers, tilingFields} from './own-names.ts'
import {fileRewrite, freeWords, integerTypes, type Rewrite} from './rewrite.ts'

/** Words that programmers of kernels use for each other. */
const synonyms: readonly (readonly string[])[] = [
  ['local', 'ub', 'tile'],
  ['gm', 'global'],
  ['queue', 'que'],
  ['buf', 'buffer', 'mem'],
  ['length', 'len', 'size'],
  ['num', 'count', 'cnt'],
  ['offset', 'begin', 'base'],
  ['start', 'first', 'from'],
  ['tile', 'chunk', 'piece'],
  ['total', 'full'],
  ['tail', 'rest', 'last'],
  ['params', 'args', 'config'],
  ['value', 'val'],
  ['result', 'res'],
  ['index', 'idx'],
  ['i', 'idx', 't'],
  ['r', 'rowIdx', 'k'],
  ['work', 'scratch', 'temp'],
  ['sum', 'acc'],
  ['aligned', 'padded'],
  ['used', 'active'],
  ['divisor', 'denom'],
  ['unit', 'step', 'granularity'],
  ['data', 'info'],
  ['copy', 'move'],
  ['in', 'input'],
  ['out', 'output'],
  ['compute', 'calculate', 'evaluate'],
  ['process', 'run', 'execute'],
  ['init', 'setup', 'prepare'],
  ['load', 'fetch', 'read'],
  ['store', 'write', 'save'],
  ['kernel', 'op', 'impl'],
  ['op', 'kernel'],
  ['platform', 'chip', 'soc'],
  ['dtype', 'type'],
  ['shape', 'dims'],
  ['extra', 'remain'],
]

/** Members of structures of the SDK that operators set by name. */
const sdkMembers = new Set(
  ['blockCount', 'blockLen', 'srcStride', 'dstStride', 'rsv', 'isPad', 'leftPadding', 'rightPadding', 'paddingValue']
    .concat([
      'srcGap',
      'dstGap',
      'dstBlkStride',
      'srcBlkStride',
      'dstRepStride',
      'srcRepStride',
      'data',
      'size',
      'value',
    ])
    .concat([
      'type',
      'length',
      'first',
      'second',
      'begin',
      'end',
      'get',
      'offset',
      'index',
      'max',
      'min',
      'move',
      'all',
    ]),
)

type NamesIn = (source: SourceView) => string[]

/** Renames what `names` finds, in all files alike, to names that occur nowhere. */
function renaming(
  name: string,
  names: NamesIn,
  restyle: (name: string, random: Random, words: Words) => string,
): Rewrite {
  return {
    name,
    apply(files, random) {
      const views = files.map(({path, text}) => viewSource(path, text))
      const taken = new Set(files.flatMap(({text}) => text.match(/[A-Za-z_]\w*/g) ?? []))
      const words = wordChoice(random)
      const own = ownMembers(views)
      const fixed = new Set([...sdkMembers, 'main', ...views.flatMap(knownOutside)])
      const renamed = new Map<string, string>()
      for (const old of new Set(views.flatMap(names))) {
        const put = restyle(old, random, words)
        if (put === old || taken.has(put) || sdkMembers.has(put)) continue
        if (fixed.has(old) || /^(?:DTYPE_|__)/.test(old) || !isReachedInOwnOnly(old, views, own)) continue
        taken.add(put)
        renamed.set(old, put)
      }
      return renamed.size === 0 ? undefined : files.map((file) => withNames(file, renamed))
    },
  }
}

type Words = ReadonlyMap<string, string>

/** One synonym for each word, so that a text stays of one style. */
function wordChoice(random: Random): Words {
  const words = new Map<string, string>()
  for (const group of synonyms) {
    const [word = '', ...others] = group
    if (random.unit() < 0.75) words.set(word, random.pick(others))
  }
  return words
}

/** Names in directives and strings, of the entry and of what registers: others know the operator by them. */
function knownOutside(source: SourceView): string[] {
  const {text, tokens} = source
  const kept = new Set(tokens.map(({start}) => start))
  const fixed = tokenize(text).flatMap((token) => {
    if (!kept.has(token.start)) return token.text.split(/\W+/)
    return token.kind === 'string' ? [literalValue(token)] : []
  })
  const entry = tokens.findIndex(({text}) => text === '__global__')
  const body = tokens.findIndex((token, at) => at > entry && token.text === '{')
  const signature = entry < 0 ? [] : tokens.slice(entry, body < 0 ? undefined : body)
  const registered = foundIn(source, ...registering).map(({hole}) => hole('name'))
  return [...fixed, ...signature.map(({text}) => text), ...registered]
}

const registering = ['OP_ADD($name', 'REGISTER_TILING_DATA_CLASS($name'].map((form) => pattern(form))

function withNames(file: SourceFile, renamed: ReadonlyMap<string, string>): SourceFile {
  const {code} = viewSource(file.path, file.text)
  const bare = withoutComments(file.text)
  const text = file.text.replace(
    /\b(set_|get_)?([A-Za-z_]\w*)/g,
    (whole, accessor: string | undefined, rest: string, at: number) => {
      const put = renamed.get(whole) ?? (accessor ? renamed.get(rest) : undefined)
      if (put === undefined) return whole
      const isCode = code[at] !== ' '
      // In a comment a plain word is not a name.
      const isNamed = bare[at] === ' ' && /[A-Z_]/.test(whole.slice(1))
      if (!isCode && !isNamed) return whole
      return renamed.has(whole) ? put : `${accessor}${put}`
    },
  )
  return {...file, text}
}

/** `inQueueX_` → `in Queue X _`. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|_+/g) ?? [name]
}

function bySynonyms(name: string, _: Random, words: Words): string {
  return wordsOf(name)
    .map((word) => {
      const put = words.get(word.toLowerCase())
      if (put === undefined) return word
      if (/^[A-Z]+$/.test(word) && word.length > 1) return put.toUpperCase()
      return /^[A-Z]/.test(word) ? put[0]?.toUpperCase() + put.slice(1) : put
    })
    .join('')
}

const localTypes = new Set([...integerTypes, ...'auto int float half bool size_t'.split(' ')])
const isParams = (name: string) => name.endsWith('Params')

/** Variables, parameters and functions of types that kernels and hosts use. */
const localForms = ['$type', '$params', '$params<$_>', '$tensor<$_>', '$scope::$_']
  .flatMap((type) => [`${type} $name`, `${type}& $name`, `${type}* $name`])
  .map((form) =>
    pattern(form, {
      type: localTypes,
      params: isParams,
      tensor: new Set(['LocalTensor', 'GlobalTensor']),
      scope: new Set(['ge', 'gert', 'AscendC']),
    }),
  )
const behindName = new Set(['=', ';', '{', '(', ',', ')', ':'])

function localsOf(source: SourceView): {name: string; start: number}[] {
  return foundIn(source, ...localForms).flatMap(({to, hole, start}) =>
    behindName.has(source.tokens[to]?.text ?? '') ? [{name: hole('name'), start}] : [],
  )
}

const isField = (name: string) => /_$|^m_/.test(name)

const localNames: NamesIn = (source) => localsOf(source).flatMap(({name}) => (isField(name) ? [] : [name]))

const fieldNames: NamesIn = (source) =>
  source.path.startsWith('op_kernel/')
    ? classesOf(source).flatMap((body) => fieldsOf(source, body).map(({name}) => name))
    : []

/** What samples and documentation of Ascend C call the two methods that an entry calls. */
const customary = ['Init', 'Process']

const methodNames: NamesIn = (source) =>
  source.path.startsWith('op_kernel/')
    ? classesOf(source).flatMap((body) =>
        methodsOf(source, body).flatMap(({name}) => (name === body.name || customary.includes(name) ? [] : [name])),
      )
    : definitionsOf(source).flatMap(({name, head}) =>
        head.startsWith('static int') || head.startsWith('static uint') ? [name] : [],
      )

const tilingNames: NamesIn = tilingFields

const constant = pattern('constexpr $_ $name =', {name: (text) => /^[A-Z][A-Z\d_]*$/.test(text)})

const constantNames: NamesIn = (source) => foundIn(source, constant).map(({hole}) => hole('name'))

const classNames: NamesIn = (source) =>
  source.path.startsWith('op_kernel/') ? classesOf(source).map(({name}) => name) : []

/** `length_` → `m_length` or `mLength`; of all fields alike. */
function memberStyle(name: string, random: Random, words: Words): string {
  const bare = bySynonyms(name.replace(/^m_|_$/g, ''), random, words)
  return words.has('local') ? `m_${bare}` : `m${bare[0]?.toUpperCase()}${bare.slice(1)}`
}

const constantStyle = (name: string, random: Random, words: Words) =>
  words.has('num')
    ? bySynonyms(name, random, words)
    : `k${name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`

function classStyle(name: string, random: Random): string {
  const bare = name.replace(/^Kernel|Kernel$/, '')
  return random.pick([`Kernel${bare}`, `${bare}Impl`, `${bare}Device`, `${bare}Kernel`].filter((one) => one !== name))
}

/**
 * `this->` before the class's own data, where no parameter has a name of the same form. In a template it would make
 * `queue_.DeQue<T>()` require the keyword `template`.
 */
const explicitThis = fileRewrite('explicit-this', ['op_kernel'], (source) => {
  const declared = localsOf(source)
  return classesOf(source).flatMap((body) => {
    const asking = new Set(foundIn(source, ...asksForTemplate).map(({hole}) => hole('name')))
    const names = fieldsOf(source, body).map(({name}) => name)
    const inMethods = methodsOf(source, body).filter(({name}) => name !== body.name)
    // A parameter or variable of the name hides the member.
    const hidden = new Set(
      inMethods.flatMap(({parameters, open, end}) => [
        ...parameters.map(({name}) => name),
        ...declared.flatMap(({start, name}) => (open < start && start < end ? [name] : [])),
      ]),
    )
    const seen = new Set(names.filter((name) => isField(name) && !asking.has(name) && !hidden.has(name)))
    const uses = inMethods.flatMap(({open, end}) => freeWords(source, {start: open, end}))
    return uses.flatMap(({text, start}) => (seen.has(text) ? [{start, end: start, text: 'this->'}] : []))
  })
})

const asksForTemplate = ['$name.$_<', '$name->$_<'].map((form) => pattern(form))

export const nameRewrites: readonly Rewrite[] = [
  renaming('rename-locals', localNames, bySynonyms),
  renaming('rename-members', fieldNames, memberStyle),
  renaming('rename-functions', methodNames, bySynonyms),
  renaming('rename-tiling-fields', tilingNames, bySynonyms),
  renaming('rename-constants', constantNames, constantStyle),
  renaming('rename-class', classNames, classStyle),
  explicitThis,
]
