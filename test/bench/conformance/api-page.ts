import {parsePrinted} from './printed-array.ts'
import type {PrintedArray} from './printed-array.ts'

/** A page of API documentation as it reads for one chip, and the examples of it that show numbers. */
export interface ApiPage {
  title: string
  supported: boolean
  examples: Example[]
}

/** One example with numbers: the code before it, and the arrays that the page prints. */
export interface Example {
  /** Code fences since the last example that had some, one text each. */
  code: string[]
  /** What the page says between the code and the arrays, and inside of labels. */
  note: string
  inputs: NamedArray[]
  outputs: NamedArray[]
  /** Values of outputs before the call, where a page prints them. */
  initial: NamedArray[]
}

export interface NamedArray {
  name: string
  array: PrintedArray
}

/** Drops what a page says for other chips: `<!-- npu="A3,910b" id3 -->` to `<!-- end id3 -->`, which may nest. */
export function forChip(page: string, chip: string): string {
  const open: boolean[] = []
  return page
    .split('\n')
    .filter((line) => {
      const start = /^\s*<!--\s*npu="([^"]*)"/.exec(line)
      if (start) open.push(start[1]!.split(',').some((one) => one.trim() === chip))
      else if (/^\s*<!--\s*end\b/.test(line)) open.pop()
      else return open.every(Boolean)
      return false
    })
    .join('\n')
}

/** Reads a page for Atlas A2, whose marker is `910b`. */
export function readApiPage(text: string): ApiPage {
  const page = forChip(text, '910b')
  const support = /Atlas A2[^\n]*/.exec(page)?.[0].trim() ?? ''
  return {
    title: (/^#\s+([^\n<（]+)/m.exec(page)?.[1] ?? '').trim(),
    supported: support.endsWith('：支持') || support.endsWith('√ |') || support.endsWith('√'),
    // A sample for named products names none that is left here when it is for other chips.
    examples: examplesOf(exampleSection(page)).filter(({note}) => !/该样例适用于：(?![^]*Atlas A2)/.test(note)),
  }
}

function exampleSection(page: string): string[] {
  const at = page.search(/^##\s+调用示例/m)
  return at < 0 ? [] : page.slice(at).split('\n').slice(1)
}

/** `code` is a fence of a program; arrays stand in fences of their own, in quotes or in comments. */
type Line = {kind: 'code' | 'text'; text: string; fence: number}

function linesOf(section: readonly string[]): Line[] {
  const lines: Line[] = []
  let inside: string[] | undefined
  let fence = 0
  for (const raw of section) {
    const text = raw.replace(/^\s*>\s?/, '')
    if (/^\s*```/.test(text)) {
      if (inside) {
        fence += 1
        const kind = isProgram(inside) ? 'code' : 'text'
        for (const line of inside) lines.push({kind: isResultComment(line) ? 'text' : kind, text: line, fence})
      }
      inside = inside ? undefined : []
    } else if (inside) inside.push(text)
    else lines.push({kind: 'text', text, fence: 0})
  }
  return lines
}

function isProgram(lines: readonly string[]): boolean {
  return lines.some((line) => /;\s*(\/\/.*)?$/.test(line)) && !/^\s*输/.test(lines.join('\n'))
}

function isResultComment(line: string): boolean {
  return /^\s*\/\/\s*输[入出]数据/.test(line)
}

const label =
  /^\s*(?:\/\/\s*)?(?:进行\w+计算后，)?(原始)?(输入数据|输出数据|输入|输出|反量化参数|初始化后)?\s*[(（]?\s*([A-Za-z_]\w*)?[^:：=[]*[:：=](.*)$/u

interface Reading {
  examples: Example[]
  current: Example
  code: string[]
  /** Whether code came after the last array, so that it begins anew. */
  fresh: boolean
}

function emptyExample(): Example {
  return {code: [], note: '', inputs: [], outputs: [], initial: []}
}

function examplesOf(section: readonly string[]): Example[] {
  const lines = linesOf(section)
  const reading: Reading = {examples: [], current: emptyExample(), code: [], fresh: true}
  let fence = 0
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.kind === 'code') {
      finish(reading)
      if (!reading.fresh) reading.code = []
      reading.fresh = true
      if (line.fence === fence) reading.code.push(`${reading.code.pop() ?? ''}\n${line.text}`)
      else reading.code.push(line.text)
      fence = line.fence
    } else at = readText(reading, lines, at)
  }
  finish(reading)
  return reading.examples
}

function finish(reading: Reading): void {
  const {current} = reading
  if (current.outputs.length > 0) {
    reading.examples.push({...current, code: [...reading.code]})
    reading.current = emptyExample()
    reading.fresh = false
  }
}

/** Reads one label with its array, and gives the index of the last line that belongs to it. */
function readText(reading: Reading, lines: readonly Line[], at: number): number {
  const text = withoutShapes(lines[at]!.text)
  const match = label.exec(text)
  if (!match) {
    if (reading.current.outputs.length > 0 && text.trim() !== '') finish(reading)
    reading.current.note += `${text}\n`
    return at
  }
  const [, , word = '', name = '', rest = ''] = match
  const end = arrayEnd(lines, at, rest)
  const body = [rest, ...lines.slice(at + 1, end + 1).map((line) => line.text)].join('\n')
  const isOutput = /输出|初始化后/.test(word) || (word === '' && /^dst/.test(name))
  if (!body.includes('[') && end === at) {
    reading.current.note += `${text}\n`
    return at
  }
  const named = {name, array: parsePrinted(uncommented(body.slice(Math.max(body.indexOf('['), 0))))}
  if (text.includes('初始值')) reading.current.initial.push(named)
  else if (isOutput) reading.current.outputs.push(named)
  else {
    if (reading.current.outputs.length > 0) finish(reading)
    reading.current.inputs.push(named)
  }
  return end
}

/** Shapes in labels have brackets and colons of their own; a label alone on its line may have none. */
function withoutShapes(text: string): string {
  const label = /^\s*(输入数据|输出数据)\s*$/.exec(text)
  if (label) return `${label[1]}：`
  return text.replace(/[,，]?\s*shape(?:为|:|：)?\s*\\?\[[^\]]*\]/g, '')
}

function uncommented(body: string): string {
  return body.replace(/\/\/.*$/gm, '')
}

/** The last line of the array that begins behind a label: where its brackets close, or where bare numbers end. */
function arrayEnd(lines: readonly Line[], at: number, rest: string): number {
  if (rest.includes('[')) return bracketsEnd(lines, at, rest)
  if (/\S/.test(uncommented(rest).replace(/(\d+个)?\w*(数据类型|类型数据)|[）)]/g, ''))) return at
  let next = at + 1
  while (next < lines.length && !/\S/.test(uncommented(lines[next]!.text))) next += 1
  const first = lines[next]?.text ?? ''
  if (/^\s*\[/.test(first)) return bracketsEnd(lines, next, first)
  let end = at
  while (/^[\s\d.eE+-]*\d[\s\d.eE+-]*$/.test(lines[end + 1]?.text ?? '')) end += 1
  return end
}

function bracketsEnd(lines: readonly Line[], from: number, first: string): number {
  let depth = balance(first)
  let end = from
  while (depth > 0 && end + 1 < lines.length) {
    end += 1
    depth += balance(lines[end]!.text)
  }
  return end
}

function balance(text: string): number {
  return [...uncommented(text)].reduce((sum, one) => sum + Number(one === '[') - Number(one === ']'), 0)
}
