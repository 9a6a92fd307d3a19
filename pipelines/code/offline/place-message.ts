import {interfaces, synchronisationApis} from '../../../cpp/interfaces.ts'
import {lineAt, viewSource, type Call, type SourceView} from '../../../cpp/source-view.ts'
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
  const [situation, values] = call ? ofCall(call.call) : ofLine(statement)
  const message = {topic: 'statement', situation, values: {statement, ...values}}
  return {isHost: path.startsWith('op_host/'), message}
}

/** The call that is a statement at a line. */
function statementAt(source: SourceView, line: number) {
  const found = source.calls.find(
    ({statement}) =>
      statement && lineAt(source.text, statement.start) <= line && line <= lineAt(source.text, statement.end),
  )
  if (!found?.statement) return undefined
  return {call: found, from: found.statement.start, to: found.statement.end}
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

const queueCalls = new Set(['EnQue', 'DeQue', 'AllocTensor', 'FreeTensor'])

function ofCall({name, args, receiver}: Call): [situation: string, values: Record<string, string>] {
  const [first = '', second = '', third = ''] = args.map(({text}) => plain(text))
  if (name === 'InitBuffer') return ['buffer', {name: first, value: args.length > 2 ? third : second}]
  if (/^DataCopy(?:Pad)?$/.test(name)) return ['copy', {from: second, to: first}]
  if (queueCalls.has(name)) return ['queue', {name: receiver.replace(/(?:\.|->)(?:template )?$/, '')}]
  if (synchronisationApis.has(name) || /Flag$|^PipeBarrier$|^SyncAll$/.test(name)) return ['order', {}]
  if (name === 'SetBlockDim') return ['launch', {value: first}]
  if (name.startsWith('set_')) return ['field', {name: name.slice(4), value: first}]
  const isOfTensor = name === 'GetValue' || name === 'SetValue'
  return interfaces.has(name) && !isOfTensor ? ['compute', {name, to: first}] : ['call', {name}]
}

function ofLine(statement: string): [situation: string, values: Record<string, string>] {
  if (/^(?:for|while)\b/.test(statement)) return ['loop', {}]
  if (/^(?:if|else|switch)\b/.test(statement)) return ['flow', {}]
  const given = /(\w+)(?:\[[^\]]*\])?\s*[-+*/]?=(?!=)/.exec(statement) ?? /^[\w:<> ]+[ >](\w+)\{/.exec(statement)
  const name = given?.[1]
  return name === undefined ? ['line', {}] : ['value', {name}]
}
