import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {type Bracketed, bracketsAround, callsOf, spelled} from '../../facts/bracketed.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {statementsOf} from '../../facts/code-statements.ts'
import {isList, type Message} from '../../telling/tell-message.ts'

/** Why one step from failed to right code is needed, as far as the two texts show it. */
export interface Reason {
  /** What is wrong, by its names. */
  fault: readonly Message[]
  /** The rule of language, interface or hardware behind it, or what follows from it. */
  why: readonly Message[]
  /** Whether the code alone shows it: else one has to know what the operator shall compute. */
  fromCode: boolean
}

type Values = Message['values']

/** Makes reasons of a topic of the catalogue. Without a `why`, the entry `<situation>-why` is used. */
export function reasons(topic: string) {
  const says = (situation: string, values: Values): Message => ({topic, situation, values})
  const because = (situation: string, values: Values, {why, fromCode = true}: Because = {}): Reason => ({
    fault: [says(situation, values)],
    why: [why ?? says(`${situation}-why`, values)].flat(),
    fromCode,
  })
  return Object.assign(because, {says})
}

interface Because {
  why?: Message | readonly Message[]
  fromCode?: boolean
}

/** A part of a sentence that several topics use. */
export function part(situation: string, values: Values): Message {
  return {topic: 'parts', situation, values}
}

/** All names and numbers that messages speak of, in whatever depth. */
export function namesOf(messages: readonly Message[]): string[] {
  const within = (value: Message['values'][string]): string[] => {
    if (typeof value !== 'object') return [`${value}`]
    if (isList(value)) return value.flatMap(within)
    return 'topic' in value ? namesOf([value]) : Object.values(value)
  }
  return messages.flatMap(({values}) => Object.values(values).flatMap(within))
}

/** The input of reasons, besides the step itself. */
export interface Scene {
  /** The documented interfaces by name. */
  apis: ReadonlyMap<string, ApiEntry>
  failed: readonly SourceFile[]
  right: readonly SourceFile[]
  /** Messages of all errors of the build, and what the compiler printed. */
  errors: readonly string[]
  log: string
}

export type Replaced = Extract<Edit, {kind: 'replaced'}>

/** What a step is about: statements of the failed code, or those that it lacks. */
export function statementsIn(edit: Edit): readonly Statement[] {
  if (edit.kind === 'replaced') return [edit.before]
  if (edit.kind === 'moved') return [edit.statement]
  return edit.kind === 'removed' || edit.kind === 'added' ? edit.statements : []
}

/** Lines of a file in which a step of a queue stands. */
export function stepsOf(queue: string, step: string, file: SourceFile | undefined): number[] {
  const plain = (name: string) => name.replace(/^this->/, '')
  const isStep = ({name, receiver}: Bracketed) => name === step && plain(receiver) === plain(queue)
  const statements = file ? statementsOfFile(file) : []
  return statements.flatMap((one) =>
    callsOf(one)
      .filter(isStep)
      .map(() => one.line),
  )
}

/** The brackets around a difference on both sides, innermost first, and the one argument that differs. */
export interface Site {
  before: Bracketed
  after: Bracketed
}

export function sitesOf({before, after, differs: {start, wrongEnd, rightEnd}}: Replaced): Site[] {
  const inner = bracketsAround(after, start, rightEnd)
  return bracketsAround(before, start, wrongEnd).flatMap((one) => {
    const same = inner.find(({open, mark}) => open === one.open && mark === one.mark)
    return same ? [{before: one, after: same}] : []
  })
}

/** The one argument in which two lists of equal length differ. */
export function changedArgument({before, after}: Site): {at: number; wrong: string; right: string} | undefined {
  if (before.args.length !== after.args.length) return undefined
  const places = after.args.flatMap((text, at) => (text === before.args[at] ? [] : [at]))
  const [at] = places
  return at === undefined || places.length > 1 ? undefined : {at, wrong: before.args[at]!, right: after.args[at]!}
}

/** The stretch of tokens that differs. */
export function stretchOf({before, after, differs}: Replaced): {wrong: string; right: string} {
  const {start, wrongEnd, rightEnd} = differs
  return {wrong: spelled(before.tokens.slice(start, wrongEnd)), right: spelled(after.tokens.slice(start, rightEnd))}
}

/** The one word that differs, if nothing else does. */
export function changedWord(edit: Replaced): {wrong: string; right: string} | undefined {
  const {wrong, right} = stretchOf(edit)
  return /^\w+$/.test(wrong) && /^\w+$/.test(right) ? {wrong, right} : undefined
}

export type Kind = 'local' | 'global' | 'queue' | 'buffer' | 'copy' | 'pad' | 'number' | 'mode'

const declarations: readonly [Kind, string][] = [
  ['local', 'LocalTensor<[^;(){}]*>\\s*&?\\s*NAME\\b'],
  ['local', '\\bauto\\s*&?\\s*NAME\\s*=[^;]*\\b(?:DeQue|AllocTensor|Get)\\b\\s*<'],
  ['global', 'GlobalTensor<[^;(){}]*>\\s*&?\\s*NAME\\b'],
  ['queue', 'TQue<[^;(){}]*>\\s*NAME\\b'],
  ['buffer', 'TBuf<[^;(){}]*>\\s*NAME\\b'],
  ['copy', 'DataCopy(?:Ext)?Params\\s+NAME\\b'],
  ['pad', 'DataCopyPad(?:Ext)?Params(?:<[^;(){}]*>)?\\s+NAME\\b'],
  ['number', '\\b(?:u?int\\d*_t|size_t|int|float|half|bfloat16_t|double|bool|T|U)\\s+NAME\\b'],
]

/** What an expression is by the declaration of its name; undefined if unknown. */
export function kindOf(expression: string, {right}: Pick<Scene, 'right'>): Kind | undefined {
  if (/^(?:RoundMode|CMPMODE|SELMODE)::\w+$/.test(expression)) return 'mode'
  if (/^-?[\d.]+[a-z]*$|^(?:static_cast<\w+>|u?int\d+_t|float)\(|^sizeof/.test(expression)) return 'number'
  const name = /^(?:this->)?([A-Za-z_]\w*)(?:\[.*\])?$/.exec(expression)?.[1]
  if (name === undefined) return /[*/+-]/.test(expression) ? 'number' : undefined
  const texts = right.map(({text}) => text).join('\n')
  return declarations.find(([, pattern]) => new RegExp(pattern.replace('NAME', name)).test(texts))?.[0]
}

/** The names of a call's parameters, of the overload with this many arguments; undefined if unknown. */
export function parameterNames(name: string, args: readonly string[], scene: Scene): string[] | undefined {
  const {apis, right, errors, log} = scene
  const count = args.length
  const forms = (apis.get(name)?.prototypes ?? []).filter(
    ({parameters}) => parameters.length === count && parameters.every(({type}, at) => mayBe(type, args[at]!, scene)),
  )
  const lists = new Set(forms.map(({parameters}) => parameters.map((one) => one.name).join(' ')))
  const [only] = lists
  if (only !== undefined && lists.size === 1 && !/^ | {2}| $/.test(only)) return only.split(' ')
  return (
    ownParameters(name, count, right) ??
    printedParameters(name, count, log) ??
    (count === 1 ? saidParameter(errors) : undefined)
  )
}

/** Pages of other interfaces have forms of the same name and length: they have tensors where this one has a mode. */
function mayBe(type: string, argument: string, scene: Scene): boolean {
  const kind = kindOf(argument, scene)
  return !/\b(?:Local|Global)Tensor\b/.test(type) || (kind !== 'mode' && kind !== 'number')
}

/** The compiler prints the declarations that it compared a call with. */
function printedParameters(name: string, count: number, log: string): string[] | undefined {
  const lists = [...log.matchAll(new RegExp(`[\\w>&*]\\s+${name}\\(([^()]*)\\)\\s*(?:const\\s*)?[{;]`, 'g'))].map(
    ([, list = '']) => namesIn(list),
  )
  const fitting = new Set(
    lists.filter((names) => names.length === count && names.every(Boolean)).map((names) => names.join(' ')),
  )
  return fitting.size === 1 ? [...fitting][0]!.split(' ') : undefined
}

/** The names of a list of declared parameters; '' for one that has none. */
function namesIn(list: string): string[] {
  const flat = list.replace(/<[^<>]*>/g, '')
  return flat.split(',').map((one) => /[\s&*](\w+)\s*(?:\[\]\s*)?(?:=.*)?$/.exec(one.trim())?.[1] ?? '')
}

/** Of a call with one argument the compiler names it. */
function saidParameter(errors: readonly string[]): string[] | undefined {
  const names = new Set(errors.flatMap((message) => /single argument '(\w+)'/.exec(message)?.[1] ?? []))
  return names.size === 1 ? [...names] : undefined
}

function ownParameters(name: string, count: number, files: readonly SourceFile[]): string[] | undefined {
  for (const file of files) {
    for (const head of statementsOfFile(file)) {
      const list = headOf(head, name)
      if (list === undefined) continue
      const names = namesIn(list)
      if (names.length === count && names.every(Boolean)) return names
    }
  }
  return undefined
}

/** The parameters of a function that a statement begins to define; undefined where it does not. */
function headOf({text}: Statement, name: string): string | undefined {
  return new RegExp(`^[\\w\\s:<>,&*]*[\\s&*]${name}\\(([^()]*)\\)[\\w\\s]*\\{$`).exec(text)?.[1]
}

/** `argument 3 (`scalarValue`)`. */
export function place(at: number, names?: readonly string[]): Message {
  return part('place', {n: at + 1, name: names?.[at] ?? 'none'})
}

/** The statement of failed or right files that declares a name, with its place. */
export function declarationOf(name: string, files: readonly SourceFile[]): {path: string; one: Statement} | undefined {
  const qualified = '^(?:(?:const|constexpr|static|inline|mutable)\\s)*[\\w:]+(?:<.*?>)?[\\s*&]+'
  const field = `\\bTILING_DATA_FIELD_DEF\\([^,]*,\\s*${name}\\)`
  const pattern = new RegExp(`${qualified}${name}\\s*(?:[;={[]|\\{|$)|${field}`)
  for (const file of files) {
    const one = statementsOfFile(file).find(
      (each) => pattern.test(each.text) && !/^(?:return|delete|else)\b/.test(each.text),
    )
    if (one) return {path: file.path, one}
  }
  return undefined
}

/** Statements of the failed file of a path. */
export function failedStatements(path: string, {failed}: Pick<Scene, 'failed'>): readonly Statement[] {
  const file = failed.find((one) => one.path === path)
  return file ? statementsOfFile(file) : []
}

const read = new WeakMap<SourceFile, readonly Statement[]>()

/** Read once a file: every reason looks into it. */
export function statementsOfFile(file: SourceFile): readonly Statement[] {
  const known = read.get(file) ?? statementsOf(file.text)
  read.set(file, known)
  return known
}
