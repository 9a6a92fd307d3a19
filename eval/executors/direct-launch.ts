import {withoutComments, withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {balanced} from '../../cpp/op-def.ts'
import {plainDeviceText} from './kernel-text.ts'
import {coresOf} from './kernel-unit.ts'

// Programs that launch kernels themselves hold host and device code in one file, and `kernel<<<n, l2, stream>>>(x)` is
// no C++. The twin's `twin/direct_launch.h` knows the launch as `$(kernel  ) (n, l2, stream)  (x)`.

/** Numbers of `twin::Cores`. */
const coreNumbers = {vector: 0, cube: 1, mix11: 2, mix12: 3} as const

/** What a kernel says of itself where it is defined. */
export interface KernelFact {
  name: string
  /** Cores of each block. */
  cores: keyof typeof coreNumbers
  /** Names, in order. */
  parameters: string[]
}

/**
 * A program's text as a C++ compiler takes it. Every line stays where it is, and every column but those behind a launch
 * that has less than two blanks in front.
 */
export function launchText(whole: string): string {
  const text = withoutMemoryOfHost(whole)
  const code = withoutCommentsAndLiterals(text)
  let written = ''
  let done = 0
  for (const {name, open, close} of launches(code)) {
    const blank = /[ \t]{2}$/.test(text.slice(done, name)) ? 2 : 0
    written += `${text.slice(done, name - blank)}$(${text.slice(name, open)} )(${text.slice(open + 3, close)})  `
    done = close + 3
  }
  return plainDeviceText(written + text.slice(done))
}

/**
 * Parameters of host functions without `__gm__`, which says nothing there: the device's compiler reads host code in a
 * pass of its own, without memories (asc-devkit, examples/…/batch_matmul passes `uint8_t*` to such a function).
 */
function withoutMemoryOfHost(text: string): string {
  const code = withoutCommentsAndLiterals(text)
  let written = ''
  let done = 0
  for (const {0: whole, 1: words = '', index} of code.matchAll(hostFunctionWithMemory)) {
    // A word of the program's own in front may stand for __aicore__.
    if (!beginsDeclaration(code, index)) continue
    const [start, end] = [index + words.length, index + whole.length]
    written += text.slice(done, start) + text.slice(start, end).replaceAll(/\b__gm__\b/g, '      ')
    done = end
  }
  return written + text.slice(done)
}

/** Whether nothing but directives stands between a place and the declaration before it. */
function beginsDeclaration(code: string, place: number): boolean {
  let end = place
  for (;;) {
    while (/\s/.test(code[end - 1] ?? '')) end -= 1
    const line = code.lastIndexOf('\n', end - 1) + 1
    if (end === 0 || !/^[ \t]*#/.test(code.slice(line, end))) return end === 0 || /[;}]/.test(code[end - 1] ?? '')
    end = line
  }
}

/** What stands before the parameters of a function without a value, and the parameters. */
const hostFunctionWithMemory =
  /\b((?:extern\b[\s"C]*)?(?:(?:static|inline)\s+)*\bvoid\s+\w+\s*)\([^(){};]*\b__gm__\b[^(){};]*\)(?=\s*[{;])/g

/** Places of the kernel's name and of both marks of each launch. */
function* launches(code: string): Generator<{name: number; open: number; close: number}> {
  for (const {index: open} of code.matchAll(/<<</g)) {
    const name = nameBefore(code, open)
    const close = closing(code, open + 3)
    if (name !== undefined && close !== undefined) yield {name, open, close}
  }
}

/** Start of `ns::kernel<half, 3>` that ends at `end`. */
function nameBefore(code: string, end: number): number | undefined {
  let place = code.slice(0, end).trimEnd().length
  if (code[place - 1] === '>') {
    let depth = 0
    do {
      place -= 1
      if (code[place] === '>' && code[place - 1] !== '-') depth += 1
      if (code[place] === '<') depth -= 1
      if (place <= 0 || code[place] === ';') return undefined
    } while (depth > 0)
  }
  const name = /(?:::\s*)?(?:\w+\s*::\s*)*\w+\s*$/.exec(code.slice(Math.max(0, place - 400), place))
  return name ? place - name[0].length : undefined
}

/** Place of the `>>>` that ends a configuration. */
function closing(code: string, start: number): number | undefined {
  let depth = 0
  for (let place = start; place < code.length; place += 1) {
    const character = code[place]
    if (character === '(' || character === '{' || character === '[') depth += 1
    if (character === ')' || character === '}' || character === ']') depth -= 1
    if (depth < 0 || character === ';') return undefined
    if (depth === 0 && code.startsWith('>>>', place)) return place
  }
  return undefined
}

/** The `__global__` functions of a program's texts. One without a word for its cores is taken as a build would. */
export function kernelFacts(texts: readonly string[]): KernelFact[] {
  const facts = texts.flatMap((text) => {
    const source = withoutComments(text)
    return [...source.matchAll(/\b__global__\b/g)].flatMap(({index}) => factAt(source, index, texts) ?? [])
  })
  return facts.filter((fact, index) => facts.findIndex(({name}) => name === fact.name) === index)
}

function factAt(source: string, mark: number, texts: readonly string[]): KernelFact | undefined {
  const begin = Math.max(...[';', '{', '}', '#'].map((end) => source.lastIndexOf(end, mark))) + 1
  const declared = /\bvoid\s+(\w+)\s*(?=\()/.exec(source.slice(mark, mark + 400))
  if (!declared) return undefined
  const open = mark + declared.index + declared[0].length
  const list = balanced(source, open, '(', ')')
  if (list === undefined) return undefined
  const words = source.slice(begin, open)
  return {name: declared[1] as string, cores: coresIn(words) ?? coresOf(texts), parameters: parameterNames(list)}
}

function coresIn(words: string): KernelFact['cores'] | undefined {
  const mix = /\b__mix__\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)/.exec(words)
  if (mix) {
    const [cube, vector] = [Number(mix[1]), Number(mix[2])]
    if (cube === 0) return 'vector'
    return (['cube', 'mix11', 'mix12'] as const)[Math.min(vector, 2)]
  }
  if (/\b__cube__\b/.test(words)) return 'cube'
  return /\b__vector__\b/.test(words) ? 'vector' : undefined
}

function parameterNames(list: string): string[] {
  let depth = 0
  const flat = [...list].map((character) => {
    if ('<([{'.includes(character)) depth += 1
    if ('>)]}'.includes(character)) depth -= 1
    return character === ',' && depth > 0 ? ' ' : character
  })
  const names = flat.join('').split(',')
  return names.flatMap((one) => /(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=[^,]*)?$/.exec(one.trim())?.[1] ?? [])
}

/** A unit that tells the runtime what the kernels say of themselves, and which chip it is. */
export function describingUnit(facts: readonly KernelFact[], soc: string): string {
  const rows = facts.map(({name, cores, parameters}) => {
    return `    {"${name}", ${coreNumbers[cores]}, "${parameters.join(',')}"},`
  })
  return [
    '#include "twin/direct_facts.h"',
    `static const twin::direct::KernelFact facts[] = {`,
    ...rows,
    '    {"", 0, ""}};',
    `static const bool described = twin::direct::Describe(facts, ${facts.length}, "${soc}");`,
    '',
  ].join('\n')
}
