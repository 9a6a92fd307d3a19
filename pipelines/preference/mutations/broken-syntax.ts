import {pattern} from '../../../cpp/pattern.ts'
import {declarationsOf, functionsOf} from '../../../cpp/declarations.ts'
import {inserted, replaced, placesOf, siteMutation, without, type Mutation} from './mutation.ts'
import {enumeratorsOf} from './scopes.ts'
import {foundIn, receiverName, type SourceView} from '../../../cpp/source-view.ts'
import {tilingFields} from './values.ts'

const missingSemicolon = siteMutation('missing-semicolon', 'op_kernel', (source) => [
  ...source.calls.flatMap(({name, statement}) =>
    statement ? [replaced({start: statement.end - 1, end: statement.end}, '', `no semicolon after ${name}(…)`)] : [],
  ),
  ...declarationsOf(source).map(({end, name}) => replaced({start: end - 1, end}, '', `no semicolon after ${name}`)),
])

const missingBrace = siteMutation('missing-brace', 'op_kernel', (source) =>
  [...source.code.matchAll(/^[ \t]+\}[ \t]*$/gm)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length + 1,
    replacement: '',
    says: 'a closing brace is missing',
  })),
)

const memberTwice = siteMutation('member-declared-twice', 'op_kernel', (source) =>
  declarationsOf(source)
    .filter(({within, qualifier}) => !within && qualifier === '')
    .map(({start, end, name}) =>
      inserted(end, ` ${source.text.slice(start, end)}`, `the member ${name} is declared twice`),
    ),
)

const missingParenthesis = siteMutation('missing-parenthesis', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, end}) =>
    statement ? [replaced({start: end - 1, end}, '', `${name}(… is not closed`)] : [],
  ),
)

const missingComma = siteMutation('missing-comma', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    statement
      ? args.slice(1).flatMap((argument, index) => {
          const before = args[index]
          return before
            ? [replaced({start: before.end, end: argument.start}, ' ', `no comma between arguments of ${name}`)]
            : []
        })
      : [],
  ),
)

/** `1_702_x` of FastGeluGrad: a name that begins with a digit. */
const digitName = siteMutation('name-starts-with-a-digit', 'op_kernel', (source) =>
  declarationsOf(source).map(({nameAt, name}) =>
    replaced(
      nameAt,
      `2${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      `a name that begins with a digit, for ${name}`,
    ),
  ),
)

const classSemicolon = siteMutation('class-without-semicolon', 'op_kernel', (source) =>
  placesOf(source, '};', ({start}) =>
    (source.text[start - 1] ?? '\n') === '\n' ? {replacement: '}', says: 'no semicolon after the class'} : undefined,
  ),
)

const plainFields = (source: SourceView) => tilingFields(source).filter(({field}) => !field.startsWith('get_'))

const unknownMember = siteMutation('unknown-tiling-field', 'op_kernel', (source) =>
  plainFields(source).map(({object, field, start, end}) =>
    replaced({start, end}, `${object}.${field}Num`, `${field}Num is no field of the tiling data`),
  ),
)

/** `tiling.get_length()` is how the host reads a field; the kernel's structure is plain. */
const hostAccessor = siteMutation('host-accessor-in-kernel', 'op_kernel', (source) =>
  plainFields(source).map(({object, field, start, end}) => {
    const accessor = `${object}.get_${field}()`
    return replaced({start, end}, accessor, `${accessor} is an accessor of the host's class`)
  }),
)

const unknownMethod = siteMutation('unknown-method', 'op_kernel', (source) =>
  source.calls
    .filter(({receiver, statement}) => receiver === 'op.' && statement)
    .flatMap(({name, start}) =>
      [`${name}Kernel`, `Run${name}`].map((wrong) =>
        replaced({start, end: start + name.length}, wrong, `the kernel's class has no ${wrong}`),
      ),
    ),
)

/** A method called on an object of the class, not free text. */
const missingMethod = siteMutation('missing-method', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({name}) => source.calls.some((call) => call.name === name && call.receiver.endsWith('.')))
    .map((one) => without(source, one, `${one.name} is called but not written`)),
)

const unknownEnumerator = siteMutation('unknown-enumerator', 'op_kernel', (source) =>
  enumeratorsOf(source).map(({start, end, hole}) =>
    replaced(
      {start, end},
      `${hole('enumeration')}::${hole('name')}_MODE`,
      `${hole('enumeration')} has no ${hole('name')}_MODE`,
    ),
  ),
)

const hostContext = siteMutation('unknown-context-method', 'op_host', (source) =>
  source.calls
    .filter((call) => ['context', 'platform'].includes(receiverName(call)))
    .map(({name, start}) =>
      replaced({start, end: start + name.length}, `${name}Info`, `${name}Info is no member of the context`),
    ),
)

const hostSyntax = siteMutation('host-missing-semicolon', 'op_host', (source) =>
  declarationsOf(source).map(({end, name}) => replaced({start: end - 1, end}, '', `no semicolon after ${name}`)),
)

const missingReturn = siteMutation('function-without-type', 'op_kernel', (source) =>
  foundIn(source, pattern('__aicore__ inline void $name(')).map(({start, at}) =>
    replaced({start, end: at('name').start}, '__aicore__ inline ', 'a function without a type of result'),
  ),
)

export const syntaxMutations: readonly Mutation[] = [
  missingSemicolon,
  missingBrace,
  memberTwice,
  missingParenthesis,
  missingComma,
  digitName,
  classSemicolon,
  unknownMember,
  hostAccessor,
  unknownMethod,
  missingMethod,
  unknownEnumerator,
  hostContext,
  hostSyntax,
  missingReturn,
]
