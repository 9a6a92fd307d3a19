import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {lastName} from '../settled-values.ts'
import {decided, fact, factOf, few, isTelling, rule, type HostView} from './host-view.ts'
import {written} from './size-forms.ts'

const statementsOf = ({flows}: HostFacts) => flows.flatMap(({statements}) => statements)

/** Device memory besides inputs and outputs: how much, and what it grows with. */
export function workspaceDecision(view: HostView): Decision[] {
  const direct = statementsOf(view.facts).filter(({target}) => /GetWorkspaceSizes\(/.test(target))
  const all = [...view.facts.launch.workspace, ...direct]
  const found = all.find(({text}) => !/^0\w*$/.test(text)) ?? all[0]
  if (!found) return []
  const text = written(readExpression(found.text))
  const because = [fact(`${lastName(found.target)} = ${found.text}`), rule('GetWorkspaceSizes', 'device-memory')]
  const size = sourceOf(view, text)
  const value = view.number(size)
  const situation = (name: string, values: Decision['values']) => [
    decided('host-workspace', name, 'GetWorkspaceSizes', values, because),
  ]
  if (value === 0) return situation('none', {})
  if (/^[\w.:>()-]*GetLibApiWorkSpaceSize\(\)$/.test(size)) return situation('library', {})
  if (value !== undefined)
    return value % 1_048_576 === 0 ? situation('constant', {size: text, mb: value / 1_048_576}) : []
  // What the system takes says nothing about the operator.
  const isOwn = (one: string) =>
    !/sys|lib/i.test(one) && view.number(view.only(lastName(one))?.text ?? one) === undefined
  const names = namesOf(readExpression(size)).filter(isOwn)
  const cores = names.find((one) => view.isCores(one) || view.isLaunched(one))
  if (size.length > 110 || names.length === 0 || !/ [*+] /.test(size) || size.includes('?')) return []
  return cores === undefined
    ? situation('sized', {size, names: few(names, 4)})
    : situation('per-core', {
        size,
        cores,
        names: few(
          names.filter((one) => one !== cores),
          4,
        ),
      })
}

/** Through a variable that only passes a value on. */
function sourceOf(view: HostView, text: string): string {
  const one = /^[\w.>-]+$/.test(text) ? view.only(lastName(text)) : undefined
  return one && one.name !== one.text ? one.text : text
}

function namesOf(expression: Expression): string[] {
  const {kind, text, parts} = expression
  if (text === 'sizeof') return []
  if (kind === 'name') return /^[A-Z][A-Z\d_]*$/.test(text) ? [] : [text.replace(/^this->/, '')]
  return parts.flatMap(namesOf)
}

/** Attributes that are passed to the kernel unchanged. */
export function attributeDecision(view: HostView): Decision[] {
  const isFromAttribute = (text: string, depth = 0): boolean =>
    /Get(?:AttrPointer|Attr|Int|Float|Bool|Str)\b/.test(text) ||
    (depth < 3 &&
      view.of(lastName(text.replace(/^\*\s*/, ''))).some((one) => isFromAttribute(one.statement.text, depth + 1)))
  const plain = /^\*?\s*[\w.>-]+$/
  const taken = view.facts.flows.flatMap(({statements}) =>
    statements.flatMap((one) => {
      const [value = ''] = one.call?.args ?? []
      const name = one.call?.name ?? ''
      if (!name.startsWith('set_') || view.number(value) !== undefined) return []
      const isWhole = /GetAttr\w*(?:<[^<>]*>)?\(|Get(?:Int|Float|Bool)\(/.test(value) || plain.test(value)
      return isWhole && isFromAttribute(value) ? [{name: name.slice(4), text: value}] : []
    }),
  )
  const fields = few(
    taken.map(({name}) => name),
    6,
  )
  if (fields.length === 0) return []
  return [decided('host-handed', 'attributes', fields[0] ?? '', {fields}, taken.slice(0, 3).map(factOf))]
}

/** What every core starts and ends with, as lists that the host fills. */
export function listsDecision(view: HostView): Decision[] {
  const filled = statementsOf(view.facts).filter(
    ({kind, target, loops}) =>
      kind === 'value' && /^[\w.>-]+\[\w+\]$/.test(target) && loops.some((one) => /core/i.test(one)),
  )
  const lists = few(
    filled.map(({target}) => lastName(target.replace(/\[.*$/, ''))),
    5,
  )
  if (lists.length < 2) return []
  const because = filled.slice(0, 3).map(({target, text}) => fact(`${target} = ${text}`))
  return [decided('host-handed', 'lists', lists[0] ?? '', {lists, count: lists.length}, because)]
}

/** Products that are made of 64-bit factors, as that of the dimensions may not fit into 32 bits. */
export function widthDecision(view: HostView): Decision[] {
  const found = view.sizes.filter(
    ({statement: {text}, expression}) =>
      /static_cast<u?int64_t>\(\w[\w.>-]*(?:\[\w+\]|\([\w:]*\))?\) \*/.test(text) &&
      new Set(namesOf(expression).filter((one) => !view.isTypeBytes(one))).size >= 2,
  )
  const [first] = found
  if (!first) return []
  const values = {
    name: first.name,
    product: first.statement.call?.args[0] ?? first.statement.text,
    names: few(
      found.map(({name}) => name),
      3,
    ),
  }
  return [decided('host-handed', 'wide', first.name, values, found.slice(0, 2).map(factOf))]
}

/** That a grid whose corners meet has one interval less than points. */
export function cornersDecision({facts: {flows}}: HostView): Decision[] {
  const found = flows
    .flatMap(({statements}) => statements)
    .find(
      ({text, branches}) =>
        /\(?(?:static_cast<float>)?\(\w+ - 1\)\)? \/ \(?(?:static_cast<float>)?\(?\w+ - 1\)/.test(text) &&
        branches.some(({condition}) => /align|corner/i.test(condition)),
    )
  const condition = found?.branches.find((one) => /align|corner/i.test(one.condition))?.condition
  if (!found || condition === undefined) return []
  const code = found.text.replace(/static_cast<float>/g, '').replace(/\((\(\w+ - 1\))\)/g, '$1')
  return [decided('host-handed', 'corners', 'align_corners', {ratio: code, condition}, [fact(found.text)])]
}

/** Block sizes of a matrix product, which the library chooses. */
export function matmulDecision({facts}: HostView): Decision[] {
  const shapes = statementsOf(facts).filter(
    ({call}) => call?.name === 'SetShape' && call.args.length >= 3 && /\b(?:mm|mat|cube)\w*/i.test(call.receiver),
  )
  const [first] = shapes
  const asks = statementsOf(facts).some(({text}) => /\.GetTiling\(/.test(text))
  if (!first?.call || !asks) return []
  const [m = '', n = '', k = ''] = first.call.args
  const values = {m, n, k, count: shapes.length}
  return [
    decided(
      'host-library',
      'matmul',
      'GetTiling',
      values,
      shapes.slice(0, 2).map(({text}) => fact(text)),
    ),
  ]
}

/** All cores at once, where they wait for each other. */
export function scheduleDecision({facts}: HostView): Decision[] {
  const found = statementsOf(facts).find(({call}) => call?.name === 'SetScheduleMode')
  if (!found?.call || found.branches.length > 0) return []
  const mode = found.call.args[0] ?? ''
  const value = new Map(facts.constants).get(mode) ?? Number(mode)
  if (value !== 1) return []
  return [
    decided('host-cores', 'together', 'SetScheduleMode', {mode}, [fact(found.text), rule('SetScheduleMode', 'batch')]),
  ]
}

/** Numbers of the chip, which are asked for once and not in every call. */
export function parsedDecision({facts}: HostView): Decision[] {
  const parse = facts.flows.filter(({parameters}) => parameters.some(({type}) => /TilingParseContext/.test(type)))
  const kept = parse
    .flatMap(({statements}) => statements)
    .filter(
      ({kind, target, text}) => kind === 'value' && /[cC]ompile_?[iI]nfo\w*(?:->|\.)\w+$/.test(target) && text !== '0',
    )
  const names = few(
    kept.map(({target}) => lastName(target)),
    5,
  )
  if (names.length === 0) return []
  const because = kept.slice(0, 3).map(({target, text}) => fact(`${target} = ${text}`))
  return [decided('host-known', 'parsed', names[0] ?? '', {names, count: names.length}, because)]
}

/** What is not known before a call: by the variables that take it. */
export function unknownDecision({facts}: HostView): Decision[] {
  const all = statementsOf(facts).filter(isTelling)
  const taking = (pattern: RegExp) =>
    few(
      all
        .filter(({kind, target, text}) => kind === 'value' && /^[\w.>-]+$/.test(target) && pattern.test(text))
        .map(({target}) => lastName(target)),
      5,
    )
  const sizes = taking(/(?:->|\.)(?:GetDim\([^()]*\)|GetShapeSize\(\))\)?(?: [*/] \w+)?$/)
  const types = taking(/(?:->|\.)GetDataType\(\)$/)
  const values = {sizes, types}
  const because = evidenceOf(all, [...sizes, ...types])
  if (sizes.length === 0) return []
  const situation = types.length > 0 ? 'sizes-and-types' : 'sizes'
  return [decided('host-known', situation, sizes[0] ?? '', values, because)]
}

function evidenceOf(all: readonly Statement[], names: readonly string[]) {
  return names.slice(0, 3).flatMap((name) => {
    const one = all.find(({target}) => lastName(target) === name)
    return one ? [factOf({name, text: one.text})] : []
  })
}

/** Structures of a header: what both sides have to read alike. */
export function structureDecisions({facts}: HostView): Decision[] {
  const [first, ...others] = facts.structures
  if (!first || facts.sets.length > 0) return []
  const plain = (type: string) => type.replace(/\[.*$/, '')
  const nested = few(
    first.fields.map(({type}) => plain(type)).filter((one) => one === 'TCubeTiling'),
    1,
  )
  const wide = few(
    first.fields.filter(({type}) => /64/.test(type)).map(({name}) => name),
    4,
  )
  const narrow = few(
    first.fields.filter(({type}) => /(?:8|16|32)_t|float/.test(plain(type)) && !/64/.test(type)).map(({name}) => name),
    4,
  )
  const base = {name: first.name, fields: first.fields.length}
  const because = first.fields.slice(0, 3).map(({type, name}) => fact(`${type} ${name}`))
  const bound = facts.bindings.filter(({structure}) => structure === first.name)
  const told = (situation: string, values: Decision['values']) =>
    decided('host-struct', situation, first.name, {...base, ...values}, because)
  return [
    ...(wide.length > 0 && narrow.length > 0
      ? [told('widths', {wide, narrow})]
      : [
          told('one-width', {
            names: few(
              first.fields.map(({name}) => name),
              5,
            ),
          }),
        ]),
    ...(nested.length > 0 ? [told('nested', {nested})] : []),
    ...(others.length > 0
      ? [
          told('several', {
            names: few(
              others.map(({name}) => name),
              4,
            ),
          }),
        ]
      : []),
    ...(bound.length > 0
      ? [
          told('bound', {
            operators: few(
              bound.map(({operator}) => operator),
              4,
            ),
          }),
        ]
      : []),
  ]
}

/** A value that a threshold chooses: sizes that were found to suit a range. */
export function thresholdDecision(view: HostView): Decision[] {
  const byName = new Map<string, {statement: Statement; text: string}[]>()
  for (const {name, text, statement} of view.sizes) {
    const inner = statement.branches.at(-1)
    const isChoice = inner && /^[\w.>-]+ [<>]=? [\w.]+$/.test(inner.condition) && view.number(text) !== undefined
    if (isChoice) byName.set(name, [...(byName.get(name) ?? []), {statement, text}])
  }
  for (const [name, found] of byName) {
    const subjects = new Set(found.map(({statement}) => statement.branches.at(-1)?.condition.split(' ')[0]))
    const [subject] = subjects
    const numbers = few(
      found.map(({text}) => String(view.number(text))),
      5,
    )
    const isMode = numbers.every((one) => Number(one) < 4) || /mode|key|type|flag/i.test(name)
    if (subjects.size !== 1 || subject === undefined || numbers.length < 2 || isMode) continue
    const because = found.slice(0, 3).map(({text}) => factOf({name, text}))
    return [decided('host-share', 'thresholds', name, {name, by: subject, numbers}, because)]
  }
  return []
}
