import {isClosing, isOpening} from '../../cpp/brackets.ts'
import {withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {globalFunctions} from '../../cpp/global-functions.ts'
import {tokenized, type Tokenized} from '../../cpp/tokenized.ts'
import type {Token} from '../../cpp/tokens.ts'
import {plainDeviceText} from './kernel-text.ts'
import {coresOf} from './kernel-unit.ts'

// Programs that launch kernels themselves have host and device code in one file, and `kernel<<<n, l2, stream>>>(x)` is
// not C++. The twin's `twin/direct_launch.h` knows the launch as `$(kernel  ) (n, l2, stream)  (x)`.

/** Numbers of `twin::Cores`. */
const coreNumbers = {vector: 0, cube: 1, mix11: 2, mix12: 3} as const

/** A kernel's properties from its definition. */
export interface KernelFact {
  name: string
  /** Cores of each block. */
  cores: keyof typeof coreNumbers
  /** Names, in order. */
  parameters: string[]
}

/**
 * A program's text made acceptable to a C++ compiler. Lines are preserved, and so are columns, except after a launch
 * preceded by fewer than two blanks.
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
 * Parameters of host functions without `__gm__`, which has no meaning there: the device's compiler reads host code in a
 * pass of its own, without memories (asc-devkit, examples/…/batch_matmul passes `uint8_t*` to such a function).
 */
function withoutMemoryOfHost(text: string): string {
  const code = withoutCommentsAndLiterals(text)
  let written = ''
  let done = 0
  for (const {0: whole, 1: words = '', index} of code.matchAll(hostFunctionWithMemory)) {
    // The program may use its own macro for __aicore__.
    if (!beginsDeclaration(code, index)) continue
    const [start, end] = [index + words.length, index + whole.length]
    written += text.slice(done, start) + text.slice(start, end).replaceAll(/\b__gm__\b/g, '      ')
    done = end
  }
  return written + text.slice(done)
}

/** Whether only directives are between a place and the declaration before it. */
function beginsDeclaration(code: string, place: number): boolean {
  let end = place
  for (;;) {
    while (/\s/.test(code[end - 1] ?? '')) end -= 1
    const line = code.lastIndexOf('\n', end - 1) + 1
    if (end === 0 || !/^[ \t]*#/.test(code.slice(line, end))) return end === 0 || /[;}]/.test(code[end - 1] ?? '')
    end = line
  }
}

/** The text before the parameters of a void function, and the parameters. */
const hostFunctionWithMemory =
  /\b((?:extern\b[\s"C]*)?(?:(?:static|inline)\s+)*\bvoid\s+\w+\s*)\([^(){};]*\b__gm__\b[^(){};]*\)(?=\s*[{;])/g

/** Places of the kernel's name and of both marks of each launch. */
function launches(code: string): {name: number; open: number; close: number}[] {
  const source = tokenized(code, /<<</)
  const {tokens} = source
  const placeOf = (at: number) => (tokens[at] as Token).start
  return tokens.flatMap((_, at) => {
    const name = isMark(tokens, at, '<') ? nameBefore(tokens, at) : undefined
    const close = name === undefined ? undefined : configurationEnd(source, at + 3)
    if (name === undefined || close === undefined) return []
    return [{name: placeOf(name), open: placeOf(at), close: placeOf(close)}]
  })
}

/**
 * The first token of `ns::kernel<half, 3>` that ends before a token. Angle brackets are counted, as none is a
 * comparison before a launch: `templateOpen` would refuse `kernel<(mode > 0)>`.
 */
function nameBefore(tokens: readonly Token[], end: number): number | undefined {
  let at = end - 1
  for (let depth = 0; tokens[end - 1]?.text === '>'; at -= 1) {
    const text = tokens[at]?.text ?? ';'
    if (text === ';') return undefined
    if (text === '>') depth += 1
    if (text === '<' && (depth -= 1) === 0) break
  }
  if (tokens[at]?.text === '<') at -= 1
  if (tokens[at]?.kind !== 'word') return undefined
  while (tokens[at - 1]?.text === '::') at -= tokens[at - 2]?.kind === 'word' ? 2 : 1
  return at
}

/** Three adjacent marks. */
function isMark(tokens: readonly Token[], at: number, mark: '<' | '>'): boolean {
  const [first, last] = [tokens[at], tokens[at + 2]]
  return [0, 1, 2].every((step) => tokens[at + step]?.text === mark) && last?.start === (first?.start ?? 0) + 2
}

/** The first token of the `>>>` that ends a configuration. */
function configurationEnd({tokens, partners}: Tokenized, start: number): number | undefined {
  for (let at = start; at < tokens.length; at = Math.max(at, partners[at] as number) + 1) {
    const token = tokens[at] as Token
    const isOpen = isOpening(token) && (partners[at] as number) < 0
    if (token.text === ';' || isClosing(token) || isOpen) return undefined
    if (isMark(tokens, at, '>')) return at
  }
  return undefined
}

/** The `__global__` functions of a program's texts. One without a core type is treated as in a build. */
export function kernelFacts(texts: readonly string[]): KernelFact[] {
  const facts = texts.flatMap(globalFunctions).map(({name, words, parameters}) => ({
    name,
    cores: coresIn(words.join(' ')) ?? coresOf(texts),
    parameters: parameters.flatMap((one) => /(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=[^,]*)?$/.exec(one)?.[1] ?? []),
  }))
  return facts.filter((fact, index) => facts.findIndex(({name}) => name === fact.name) === index)
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

/** A unit that passes the kernels' properties and the chip to the runtime. */
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
