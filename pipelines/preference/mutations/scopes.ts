import {pattern} from '../../../cpp/pattern.ts'
import {declarationsOf, functionsOf, hasWord, interfaceCalls, usesOf} from '../../../cpp/declarations.ts'
import {inFile, inserted, placesOf, replaced, siteMutation, without, type Mutation, type Site} from './mutation.ts'
import {imagined} from './overloads.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'

// Names where they are not declared, or no more, or twice.

const undeclaredApi = siteMutation('undeclared-api', 'op_kernel', (source) =>
  source.calls.flatMap(({name, start, statement, receiver}) =>
    statement && receiver === ''
      ? (imagined[name] ?? []).map((wrong) =>
          replaced({start, end: start + name.length}, wrong, `${wrong} does not exist; ${name} was meant`),
        )
      : [],
  ),
)

const undeclaredName = siteMutation('undeclared-name', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({args}) =>
    args
      .filter(({text}) => /^[a-z]\w*Local$/.test(text))
      .map((argument) => {
        const wrong = argument.text.replace(/Local$/, 'Tensor')
        return replaced(argument, wrong, `${wrong} is not declared; ${argument.text} was meant`)
      }),
  ),
)

/** How a name is remembered almost right: without its underscore, in another case, cut short. */
function almost(name: string): string[] {
  const snake = name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a}_${b.toLowerCase()}`)
  const other = name.endsWith('_') ? name.slice(0, -1) : `${name}_`
  const short = name.replace(/(?:Length|Local|Queue|Params|Count|Num)(?=_?$)/, (part) => part.slice(0, 3))
  return [...new Set([other, snake, short])].filter((one) => one !== name)
}

/** A use of a variable under a name that is almost its own. */
const misspelt = siteMutation('misspelt-name', 'op_kernel', (source) => {
  const declarations = declarationsOf(source)
  const known = new Set(declarations.map(({name}) => name))
  return declarations.flatMap(({name, end}) =>
    usesOf(source, name)
      .filter(({start}) => !/[.>]/.test(source.code[start - 1] ?? ''))
      .filter(({start}) => start > end || start < end - name.length - 200)
      .flatMap((use) =>
        almost(name)
          .filter((wrong) => !known.has(wrong))
          .map((wrong) => replaced(use, wrong, `${wrong} is not declared; ${name} was meant`)),
      ),
  )
})

const undeclaredLocal = siteMutation('undeclared-local', 'op_kernel', (source) =>
  declarationsOf(source)
    .filter(({within, name, end}) => within && hasWord(source, name, {start: end, end: within.end}))
    .map((declaration) => without(source, declaration, `${declaration.name} is not declared`)),
)

const missingMember = siteMutation('missing-member', 'op_kernel', (source) =>
  declarationsOf(source)
    .filter(({within, start, name}) => !within && usedElsewhere(source, name, start))
    .map((declaration) => without(source, declaration, `${declaration.name} is not declared`)),
)

function usedElsewhere(source: SourceView, name: string, start: number): boolean {
  return usesOf(source, name).some((use) => Math.abs(use.start - start) > 100)
}

/** A declaration in its own block: what follows does not see it. */
const innerBlock = siteMutation('declared-in-inner-block', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({within, start, end, name}) => {
    if (!within || !hasWord(source, name, {start: end, end: within.end})) return []
    const text = source.text.slice(start, end)
    return ['if (GetBlockIdx() == 0) ', 'for (uint32_t once = 0; once < 1; ++once) ', ''].map((head) =>
      replaced(
        {start, end},
        `${inFile(source, head)}{ ${text} }`,
        `${name} is declared in a block of its own and used after it`,
      ),
    )
  }),
)

const counting = pattern('for ($type $name = $$from;', {type: (text) => text === 'auto' || text.endsWith('_t')})

/** A name of a loop, used behind it. */
const afterLoop = siteMutation('used-after-its-loop', 'op_kernel', (source) =>
  foundIn(source, counting).flatMap(({start, hole}) => {
    const owner = functionsOf(source).find(({body}) => body.start < start && start < body.end)
    if (!owner) return []
    const name = hole('name')
    return [
      inserted(owner.end - 1, `    ${name} += 1;\n    `, `${name} is used behind its loop`),
      inserted(start, `${name} = ${hole('from')};\n        `, `${name} is used before its loop`),
    ]
  }),
)

const redefined = siteMutation('declared-twice', 'op_kernel', (source) =>
  declarationsOf(source)
    .filter(({within, qualifier}) => within || qualifier !== '')
    .map(({start, end, name}) => inserted(end, ` ${source.text.slice(start, end)}`, `${name} is declared twice`)),
)

const constants = ['FLT_MAX', 'UB_ALIGN', 'MAX_TILE_SIZE', 'ALIGN_NUM', 'BLOCK_LEN']

/** A constant that nothing declares, for a number. */
const undeclaredConstant = siteMutation('undeclared-constant', 'op_kernel', (source) =>
  placesOf(
    source,
    '$number',
    ({end, text}) => {
      const wrong = constants[end % constants.length] ?? ''
      return {replacement: wrong, says: `${wrong} is not declared, for ${text}`}
    },
    {number: (text) => /^\d+(?:\.\d+f)?$/.test(text)},
  ),
)

const hostConstant = siteMutation('host-undeclared-constant', 'op_host', (source) =>
  placesOf(
    source,
    '$number',
    ({from, to, start, text}) => {
      const [before, one, after] = [from - 1, from, to].map((at) => source.tokens[at])
      const isAlone = (one?.spaced || before?.text === '(') && [';', ',', ')', '*', '/'].includes(after?.text ?? '')
      const wrong = ['UB_SIZE', 'CORE_NUM', 'ALIGN_SIZE', 'BUFFER_NUM'][start % 4] ?? ''
      return isAlone ? {replacement: wrong, says: `${wrong} is not declared, for ${text}`} : undefined
    },
    {number: (text) => /^\d+$/.test(text)},
  ),
)

const hostLocal = siteMutation('host-undeclared-local', 'op_host', (source) =>
  declarationsOf(source)
    .filter(({name, start}) => usesOf(source, name).length > 1 && start > 0)
    .map((declaration) => without(source, declaration, `${declaration.name} is not declared`)),
)

/** A whole function that others call. */
const missingFunction = (side: 'op_host' | 'op_kernel') =>
  siteMutation(side === 'op_host' ? 'host-missing-function' : 'missing-function', side, (source) =>
    functionsOf(source)
      .filter(({name, start, end}) =>
        source.calls.some(
          (call) => call.name === name && call.receiver === '' && (call.start < start || call.start > end),
        ),
      )
      .map((one) => without(source, one, `${one.name} is called but not written`)),
  )

const missingParameter = siteMutation('parameter-not-passed', 'op_kernel', (source) =>
  functionsOf(source).flatMap(({args, body}) =>
    args.flatMap((argument, index) => {
      const name = /(\w+)$/.exec(argument.text)?.[1] ?? ''
      const previous = args[index - 1]
      const next = args[index + 1]
      // A namespace of the host's headers has the name `tiling`, and the message is about that.
      if (name === 'tiling' || !hasWord(source, name, body)) return []
      const range = previous
        ? {start: previous.end, end: argument.end}
        : {start: argument.start, end: next ? next.start : argument.end}
      return [replaced(range, '', `the parameter ${name} is missing`)]
    }),
  ),
)

const missingUsing = siteMutation('missing-using-namespace', 'op_kernel', (source) =>
  foundIn(source, pattern('using namespace AscendC;')).map((found) =>
    without(source, found, 'the names of AscendC are used without it'),
  ),
)

const missingTemplate = siteMutation('missing-template-line', 'op_kernel', (source) =>
  foundIn(source, pattern('template <$$_>')).flatMap((found) => {
    const gone = without(source, found, `${found.text} is missing`)
    return gone.end > found.end ? [gone] : []
  }),
)

const wrongElement = siteMutation('unknown-element-name', 'op_kernel', (source): Site[] =>
  source.tokens
    .filter(({text}) => text.startsWith('DTYPE_'))
    .flatMap(({text: name, start, end}) =>
      ['T', 'DTYPE_INPUT', `${name}0`, 'dtype'].map((wrong) =>
        replaced({start, end}, wrong, `${wrong} is not declared; ${name} was meant`),
      ),
    ),
)

/** Functions of mathematics that the device does not have. */
const mathOnScalars = siteMutation('function-of-the-host', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, statement, args}) => {
    const [to, from] = args
    const like = {Exp: 'expf', Sqrt: 'sqrtf', Abs: 'fabs', Ln: 'logf', Max: 'fmaxf', Maxs: 'fmaxf', Min: 'fminf'}[name]
    if (!to || !from || !like) return []
    const text = `${to.text}.SetValue(0, ${like}(${from.text}.GetValue(0)));`
    return [replaced(statement, text, `${like} of the host's library`)]
  }),
)

const enumerations = new Set(['RoundMode', 'HardEvent', 'QuePosition', 'SELMODE', 'CMPMODE'])

/** `RoundMode::CAST_NONE` and its like. */
export const enumeratorsOf = (source: SourceView) =>
  foundIn(source, pattern('$enumeration::$name', {enumeration: enumerations}))

/** Unqualified enumerators. */
const bareEnumerator = siteMutation('enumerator-without-its-type', 'op_kernel', (source) =>
  enumeratorsOf(source).map(({start, end, hole}) =>
    replaced({start, end}, hole('name'), `${hole('name')} without ${hole('enumeration')}`),
  ),
)

export const scopeMutations: readonly Mutation[] = [
  undeclaredApi,
  undeclaredName,
  misspelt,
  undeclaredLocal,
  missingMember,
  innerBlock,
  afterLoop,
  redefined,
  undeclaredConstant,
  hostConstant,
  hostLocal,
  missingFunction('op_kernel'),
  missingFunction('op_host'),
  missingParameter,
  missingUsing,
  missingTemplate,
  wrongElement,
  mathOnScalars,
  bareEnumerator,
]
