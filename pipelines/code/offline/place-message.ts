import {functionsOf, isTensor, partOf} from '../../../cpp/declarations.ts'
import {interfaces, synchronisationApis} from '../../../cpp/interfaces.ts'
import {lineAt, viewSource, type Call, type Range, type SourceView} from '../../../cpp/source-view.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Message} from '../../telling/tell-message.ts'

/** A line of one of an attempt's files. */
export interface Place {
  path: string
  line: number
}

/** Longer statements are not quoted. */
const longest = 130

/**
 * What an attempt says for the statement at a line: by what kind of statement it is, and nothing about whether it is
 * right. Undefined if none can be quoted.
 */
export function placeMessage(
  files: readonly SourceFile[],
  {path, line}: Place,
): {isHost: boolean; message: Message} | undefined {
  const file = files.find((one) => one.path === path)
  if (!file) return undefined
  const source = viewSource(path, file.text)
  const call = statementAt(source, line)
  const statement = plain(call ? source.text.slice(call.from, call.to) : lineFrom(source, line))
  if (statement === '' || statement.length > longest || statement.includes('`')) return undefined
  const found = call ? ofCall(call.call, source) : ofLine(statement)
  if (!found) return undefined
  const [situation, values] = found
  const message = {topic: 'statement', situation, values: {statement, ...values}}
  return {isHost: path.startsWith('op_host/'), message}
}

/** The last call that is a statement of a line, or the first one of the function that begins there. */
function statementAt(source: SourceView, line: number) {
  const lines = ({start, end}: Range) => [lineAt(source.text, start), lineAt(source.text, end)] as const
  const calls = source.calls.flatMap((call) =>
    call.statement ? [{call, at: lines(call.statement), ...call.statement}] : [],
  )
  const on = calls.filter(({at: [first, last]}) => first <= line && line <= last)
  const head = functionsOf(source).find(({body}) => lineAt(source.text, body.start) === line)
  const within = head && calls.find(({start, end}) => head.body.start <= start && end <= head.body.end)
  const found = on.findLast(({at: [first]}) => first === line) ?? on[0] ?? within
  return found && {call: found.call, from: found.start, to: found.end}
}

/** The code of a line, or of the next one that has some. */
function lineFrom({code, text}: SourceView, line: number): string {
  const [lines, coded] = [text.split('\n'), code.split('\n')]
  const at = coded.findIndex((one, place) => place >= line - 1 && /\w/.test(one))
  return at < 0 || at > line + 2 ? '' : (lines[at] ?? '').replace(/\s*\/\/.*$/, '')
}

const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[;{]\s*$/, '')
    .trim()

const queueCalls: Readonly<Record<string, string>> = {
  EnQue: 'handed-on',
  DeQue: 'taken',
  AllocTensor: 'empty-block',
  FreeTensor: 'given-back',
}

type Told = [situation: string, values: Record<string, string>]

function ofCall({name, args, receiver}: Call, source: SourceView): Told | undefined {
  const [first = '', second = '', third = ''] = args.map(({text}) => plain(text))
  if (name === 'InitBuffer') return ['buffer', {name: first, value: args.length > 2 ? third : second}]
  if (/^DataCopy(?:Pad)?$/.test(name)) return ofCopy(first, second, source)
  const step = queueCalls[name]
  if (step !== undefined) return [step, {name: queueOf(receiver), tensor: first}]
  if (synchronisationApis.has(name) || /Flag$|^PipeBarrier$|^SyncAll$/.test(name)) return ['order', {}]
  if (name === 'SetBlockDim') return ['launch', {value: first}]
  if (name.startsWith('set_')) {
    const isOnce = source.calls.filter((one) => one.name === name).length === 1
    return [isOnce && /^\d+$/.test(first) ? 'field-number' : 'field', {name: name.slice(4), value: first}]
  }
  if (name === 'SetGlobalBuffer') return ['global', {name: queueOf(receiver), value: first}]
  if (name === 'SetValue') return ['element', {name: queueOf(receiver), at: first, value: second}]
  if (interfaces.has(name) && name !== 'GetValue') return ofInstruction(name, args)
  // Of a call into the SDK there is nothing to say that its name does not.
  const isOwn = /^(?:this->)?$/.test(receiver) || functionsOf(source).some((one) => one.name === name)
  return isOwn ? ['call', {name}] : undefined
}

const queueOf = (receiver: string) => receiver.replace(/(?:\.|->)(?:template )?$/, '')

/** By where the piece begins in global memory. */
function ofCopy(to: string, from: string, source: SourceView): Told | undefined {
  const sides = [to, from].filter((one) => !isTensor(source, one))
  if (sides.length !== 1) return undefined
  const offset = partOf(sides[0] ?? '')?.index
  if (offset === undefined || offset === '0') return ['copy-whole', {from, to}]
  return ['copy-at', {from, to, offset}]
}

/** By how its operands are given. */
function ofInstruction(name: string, args: Call['args']): Told {
  const texts = args.map(({text}) => plain(text))
  const [to = ''] = texts
  const pointer = texts.find((one) => /GetPhyAddr\(\)$/.test(one))
  if (pointer !== undefined) return ['compute-address', {name, to, pointer}]
  const part = texts.flatMap((one) => partOf(one) ?? [])[0]
  if (part) return ['compute-part', {name, to, tensor: part.tensor, index: part.index}]
  return texts.slice(1).includes(to) ? ['compute-in-place', {name, to}] : ['compute', {name, to}]
}

const copyParams = /\bDataCopyExtParams (\w+)/
const padParams = /\bDataCopyPadExtParams<[^>]*> (\w+)/
const taken = /(\w+) = ([\w.>-]+?)(?:\.|->)(?:template )?(DeQue|AllocTensor)\b/

/** What the code after it is read with. */
const isDeclaration = /^(?:using|#include|template|class)\b/

function ofLine(statement: string): Told | undefined {
  if (isDeclaration.test(statement)) return ['line', {}]
  if (/^(?:for|while)\b/.test(statement)) return ['loop', {}]
  if (/^(?:if|else|switch)\b/.test(statement)) return ['flow', {}]
  const [, params] = copyParams.exec(statement) ?? []
  if (params !== undefined) return ['bytes', {name: params}]
  const [, padding] = padParams.exec(statement) ?? []
  if (padding !== undefined) return ['padding', {name: padding}]
  const [, tensor, queue, api = ''] = taken.exec(statement) ?? []
  if (tensor !== undefined && queue !== undefined) return [queueCalls[api] ?? 'taken', {name: queue, tensor}]
  const given = /(\w+)(?:\[[^\]]*\])?\s*[-+*/]?=(?!=)/.exec(statement) ?? /^[\w:<> ]+[ >](\w+)\{/.exec(statement)
  const name = given?.[1]
  if (name === undefined) return undefined
  if (/\b(?:CeilDiv|CeilDivision|DivUp|DivCeil)\(/.test(statement)) return ['rounded-up', {name}]
  const [, result] = /= ([A-Z]\w+)(?:<[^=]*>)?\(/.exec(statement) ?? []
  if (result !== undefined && interfaces.has(result)) return ['returned', {name, api: result}]
  return [declares.test(statement) ? 'value' : 'assigned', {name}]
}

/** A variable of its own, where another statement sets one that there is. */
const declares = /^(?:[\w:]+(?:<[^=]*>)?[*&]? )+\w+\s*[={(]/
