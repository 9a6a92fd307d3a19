import {templateClose, templateOpen} from '../../../cpp/brackets.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'
import {classesOf, fieldsOf, methodsOf} from './definitions.ts'

/** What the files of one operator declare inside of classes, and what they call the classes themselves. */
interface OwnMembers {
  /** Paths of the files that declare a data member of the name. */
  fields: ReadonlyMap<string, ReadonlySet<string>>
  methods: ReadonlySet<string>
  /** Classes and namespaces. */
  scopes: ReadonlySet<string>
  /** Fields of tiling data, which come out of a macro. */
  tiling: ReadonlySet<string>
}

export function ownMembers(views: readonly SourceView[]): OwnMembers {
  const fields = new Map<string, Set<string>>()
  const methods = new Set<string>()
  const scopes = new Set<string>()
  const tiling = new Set<string>()
  for (const view of views) {
    for (const {hole} of foundIn(view, namespace)) scopes.add(hole('name'))
    for (const name of tilingFields(view)) tiling.add(name)
    for (const body of classesOf(view)) {
      scopes.add(body.name)
      for (const {name} of methodsOf(view, body)) methods.add(name)
      for (const {name} of fieldsOf(view, body)) fields.set(name, (fields.get(name) ?? new Set()).add(view.path))
    }
  }
  return {fields, methods, scopes, tiling}
}

const namespace = pattern('namespace $name')

export function tilingFields({calls}: SourceView): string[] {
  const fields = calls.filter(({name}) => name.startsWith('TILING_DATA_FIELD_DEF'))
  return fields.flatMap(({args}) => args.at(-1)?.text ?? [])
}

/**
 * Whether everything that is reached under the name is the operator's: `set.count(x)` and `context->GetPlatformInfo()`
 * belong to other classes, whatever the operator names alike.
 */
export function isReachedInOwnOnly(name: string, views: readonly SourceView[], own: OwnMembers): boolean {
  return views.every((view) => {
    const {tokens} = view
    const isDeclared = own.tiling.has(name) || isSeen(view.path, own.fields.get(name))
    return tokens.every(({text}, at) => {
      if (text !== name) return true
      const mark = tokens[at - 1]?.text === 'template' ? at - 2 : at - 1
      const before = tokens[mark]?.text ?? ''
      if (before === '::') return own.scopes.has(tokens[(templateOpen(tokens, mark - 1) ?? mark) - 1]?.text ?? '')
      if (before !== '.' && before !== '->') return true
      const isCall = tokens[(templateClose(tokens, at + 1) ?? at) + 1]?.text === '('
      return isCall ? own.methods.has(name) && isOwnObject(tokens[mark - 1]?.text ?? '', views, own) : isDeclared
    })
  })
}

/** Headers are seen by other files. */
function isSeen(path: string, declaring: ReadonlySet<string> = new Set()): boolean {
  return [...declaring].some((one) => one === path || one.endsWith('.h'))
}

function isOwnObject(receiver: string, views: readonly SourceView[], {scopes}: OwnMembers): boolean {
  if (receiver === 'this') return true
  const forms = ['$type', '$type<$$_>'].flatMap((type) =>
    ['', '&', '*'].map((mark) =>
      pattern(`${type}${mark} $name`, {
        type: scopes,
        name: (text) => text === receiver,
      }),
    ),
  )
  return views.some((view) => foundIn(view, ...forms).length > 0)
}
