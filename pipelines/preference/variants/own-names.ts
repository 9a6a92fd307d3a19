import type {SourceView} from '../mutations/source.ts'
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
    for (const [, scope = ''] of view.code.matchAll(/\bnamespace (\w+)/g)) scopes.add(scope)
    for (const name of tilingFields(view)) tiling.add(name)
    for (const body of classesOf(view)) {
      scopes.add(body.name)
      for (const {name} of methodsOf(view, body)) methods.add(name)
      for (const {name} of fieldsOf(view, body)) fields.set(name, (fields.get(name) ?? new Set()).add(view.path))
    }
  }
  return {fields, methods, scopes, tiling}
}

export function tilingFields({code}: SourceView): string[] {
  return [...code.matchAll(/\bTILING_DATA_FIELD_DEF\w*\([^()]*?(\w+)\)/g)].map(([, name = '']) => name)
}

/**
 * Whether everything that is reached under the name is the operator's: `set.count(x)` and `context->GetPlatformInfo()`
 * are of classes of others, whatever the operator calls by the same name.
 */
export function isReachedInOwnOnly(name: string, views: readonly SourceView[], own: OwnMembers): boolean {
  const member = new RegExp(
    String.raw`([\w)\]>]*)\s*(?:\.|->)\s*(?:template\s+)?${name}\b(\s*(?:<[^;(){}]*>\s*)?\()?`,
    'g',
  )
  const scoped = new RegExp(String.raw`(\w+)(?:<[^<>;]*>)?::${name}\b`, 'g')
  return views.every((view) => {
    const isDeclared = own.tiling.has(name) || isSeen(view.path, own.fields.get(name))
    return (
      [...view.code.matchAll(scoped)].every(([, scope = '']) => own.scopes.has(scope)) &&
      [...view.code.matchAll(member)].every(([, receiver = '', call]) =>
        call === undefined ? isDeclared : own.methods.has(name) && isOwnObject(receiver, views, own),
      )
    )
  })
}

/** Headers are seen by other files. */
function isSeen(path: string, declaring: ReadonlySet<string> = new Set()): boolean {
  return [...declaring].some((one) => one === path || one.endsWith('.h'))
}

function isOwnObject(receiver: string, views: readonly SourceView[], {scopes}: OwnMembers): boolean {
  if (receiver === 'this') return true
  if (!/^\w+$/.test(receiver)) return false
  const declared = new RegExp(String.raw`\b(\w+)(?:<[^;(){}]*>)?[\s&*]+${receiver}\b`, 'g')
  return views.some(({code}) => [...code.matchAll(declared)].some(([, type = '']) => scopes.has(type)))
}
