import type {Call, Range, SourceView} from './source.ts'
import {matching} from './source.ts'

/** A function with its body, found by its tokens. */
interface FunctionView {
  name: string
  /** From its first word, `template` lines included, to its closing brace. */
  start: number
  end: number
  args: Call['args']
  /** What stands between the braces. */
  body: Range
}

/** `const LocalTensor<T> x = queue.DeQue<T>();` and the like. */
interface Declaration extends Range {
  /** Without `const`, `constexpr`, `static`. */
  type: string
  /** Where the type stands, and the name. */
  typeAt: Range
  name: string
  nameAt: Range
  /** `const ` and its kin as written; '' when there is none. */
  qualifier: string
  /** What is right of `=`, or between braces; undefined without either. */
  value: (Range & {text: string}) | undefined
  /** The function it stands in; undefined for members and what is outside of classes. */
  within: FunctionView | undefined
}

export function functionsOf(source: SourceView): FunctionView[] {
  return remembered(functionsKnown, source, () =>
    source.calls.flatMap((call) => {
      const {code} = source
      const open = /^\s*(?:const\s*)?(?:override\s*)?\{/.exec(code.slice(call.end, call.end + 60))
      if (!open || call.template !== '') return []
      // `K<T>::Init(…) {` defines a member outside of its class.
      const named = call.start - (call.receiver.endsWith('::') ? call.receiver.length : 0)
      const start = headOf(code, named)
      if (!/\w[\s&*]+$/.test(code.slice(start, named))) return []
      const brace = call.end + open[0].length - 1
      const close = matching(code, brace)
      if (close === undefined) return []
      return [{name: call.name, start, end: close + 1, args: call.args, body: {start: brace + 1, end: close}}]
    }),
  )
}

/** Back to what ends the statement before; a label such as `public:` ends one too. */
function headOf(code: string, from: number): number {
  let at = from
  while (at > 0 && !';{}'.includes(code[at - 1] as string)) {
    if (code[at - 1] === ':' && code[at - 2] !== ':' && code[at] !== ':') break
    at -= 1
  }
  return at + code.slice(at, from).search(/\S|$/)
}

const declared = new RegExp(
  [
    String.raw`(?<=^[ \t]*)((?:static |constexpr |const )*)`,
    String.raw`((?:[A-Za-z_][\w:]*)(?:<[^;(){}=]*>)?(?:\s?[*&])?)[ \t]+`,
    String.raw`([A-Za-z_]\w*)(?:\s*=\s*([^;]*)|\s*\{([^;{}]*(?:\{[^{}]*\}[^;{}]*)*)\})?\s*;`,
  ].join(''),
  'gm',
)
const noTypes = /^(?:return|using|namespace|else|typedef|delete|goto|public|private|case|struct|class|break|continue)$/

export function declarationsOf(source: SourceView): Declaration[] {
  return remembered(declarationsKnown, source, () => {
    const functions = functionsOf(source)
    return [...source.code.matchAll(declared)].flatMap((match) => {
      const [whole, qualifier = '', type = '', name = '', assigned, braced] = match
      if (noTypes.test(type)) return []
      const start = match.index
      const end = start + whole.length
      const typeStart = start + qualifier.length
      const nameStart =
        typeStart + type.length + (/^[ \t]+/.exec(whole.slice(qualifier.length + type.length))?.[0].length ?? 0)
      return [
        {
          start,
          end,
          type,
          typeAt: {start: typeStart, end: typeStart + type.length},
          name,
          nameAt: {start: nameStart, end: nameStart + name.length},
          qualifier,
          value: valueIn(source, start, whole, assigned ?? braced),
          within: functions.find(({body}) => body.start <= start && end <= body.end),
        },
      ]
    })
  })
}

function valueIn(source: SourceView, start: number, whole: string, value: string | undefined): Declaration['value'] {
  const kept = value?.trimEnd()
  if (kept === undefined || kept === '') return undefined
  const from = start + whole.lastIndexOf(kept)
  return {start: from, end: from + kept.length, text: source.text.slice(from, from + kept.length)}
}

/** Names of LocalTensor in a file: variables and parameters. */
export function tensorsOf(source: SourceView): ReadonlyMap<string, string> {
  return remembered(tensorsKnown, source, () => {
    const found = source.code.matchAll(/\bLocalTensor\s*<([^<>]*)>\s*&?\s*(\w+)\s*(?=[;=,)])/g)
    return new Map([...found].map((match) => [match[2] ?? '', (match[1] ?? '').trim()]))
  })
}

/** Whether an argument is a tensor in UB: `xLocal`, `tile[r * n]`, `buffer.Get<float>()`. */
export function isTensor(source: SourceView, text: string): boolean {
  if (/\bGet<[\w\s]*>\(\)$/.test(text)) return true
  const base = /^(\w+)(?:\[[\s\S]*\])?$/.exec(text)?.[1]
  return base !== undefined && tensorsOf(source).has(base)
}

/** Calls of the device's interface on tensors: named in capitals, asked of nothing or of AscendC, not defined here. */
export function interfaceCalls(source: SourceView): (Call & {statement: Range})[] {
  const own = new Set(functionsOf(source).map(({name}) => name))
  return source.calls.filter(
    (call): call is Call & {statement: Range} =>
      call.statement !== undefined &&
      /^[A-Z][a-z]/.test(call.name) &&
      /^(?:AscendC::)?$/.test(call.receiver) &&
      !own.has(call.name) &&
      call.args.some(({text}) => isTensor(source, text)),
  )
}

const functionsKnown = new WeakMap<SourceView, FunctionView[]>()
const declarationsKnown = new WeakMap<SourceView, Declaration[]>()
const tensorsKnown = new WeakMap<SourceView, ReadonlyMap<string, string>>()

function remembered<T>(known: WeakMap<SourceView, T>, source: SourceView, make: () => T): T {
  const found = known.get(source)
  if (found !== undefined) return found
  const made = make()
  known.set(source, made)
  return made
}
