import {entryName} from '../../../eval/executors/kernel-unit.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Execution} from '../../../datasets/schema/executor.ts'
import type {Fits} from '../../../pipelines/preference/mutations/mutation.ts'
import {matching, viewSource} from '../../../cpp/source-view.ts'

/** A program that tells which of its statements its cases run: a fault planted in others proves nothing. */
export interface Instrumented {
  files: SourceFile[]
  /** Reads which positions are run out of the ends of its runs. */
  reached(ends: readonly Execution[]): Fits
  /** Whether any run told. */
  measured(ends: readonly Execution[]): boolean
}

interface Probe {
  path: string
  position: number
  /** Range of the innermost block that holds the statement. */
  block: readonly [number, number]
}

/**
 * Puts a mark before every statement. Host code prints each when it is first met. Of the kernel the last block to end
 * prints all as hexadecimal digits and stops the process, since what is printed is told only of runs that end badly.
 */
export function instrument(files: readonly SourceFile[]): Instrumented {
  const probes: Probe[] = []
  const entry = files.find(
    ({path, text}) => path.startsWith('op_kernel/') && /\.cpp$/.test(path) && entryName(text) !== undefined,
  )
  const marked = files.map((file) => {
    const own = /\.(?:cpp|h|hpp)$/.test(file.path) ? findStatements(file) : []
    const first = probes.length
    probes.push(...own)
    return {
      ...file,
      text: withMarks(
        file.text,
        own.map(({position}, index) => ({position, text: `REACHED(${first + index}); `})),
      ),
    }
  })
  const size = probes.length + 1
  return {
    files: marked.map((file) => ({
      path: file.path,
      text:
        header(size) +
        (file.path === entry?.path ? reporting(file.text, entryName(entry.text) ?? '', size) : file.text),
    })),
    reached: (ends) => reachedBy(probes, ends.flatMap(marksIn)),
    measured: (ends) => ends.flatMap(marksIn).length > 0,
  }
}

/** Blocks of code, by their opening brace: a function's, or one of a statement. */
const blockHead =
  /(?:\)(?:\s|\b(?:const|noexcept|override|final)\b)*|\belse\s*|\bdo\s*|\bcase\s+[\w:]+\s*:\s*|\bdefault\s*:\s*)$/
const declaring = 'using|friend|template|namespace|class|struct|enum|extern|static_assert'
const noStatement = new RegExp(`^(?:else|while|case|default|public|private|protected|catch|${declaring})\\b`)

function findStatements({path, text}: SourceFile): Probe[] {
  const source = viewSource(path, text)
  const {code} = source
  const probes: Probe[] = []
  visit(0, code.length, false)
  return probes

  function visit(from: number, to: number, runs: boolean): void {
    let fresh = runs
    for (let at = from; at < to; at += 1) {
      const character = code[at] as string
      if (fresh && /\S/.test(character)) {
        if (
          /[A-Za-z_]/.test(character) &&
          !noStatement.test(code.slice(at, at + 20)) &&
          !/^\w+\s*:(?!:)/.test(code.slice(at, at + 60))
        )
          probes.push({path, position: at, block: [from, to]})
        fresh = false
      }
      if (character === '(' || character === '[') at = matching(source, at) ?? to
      else if (character === '{') {
        const close = matching(source, at) ?? to
        const head = headOf(code, at)
        // What a compiler may compute by itself cannot write marks.
        if (!/\bconstexpr\b/.test(head.replaceAll(/\bif\s+constexpr\b/g, ''))) visit(at + 1, close, isBlock(head, runs))
        at = close
        fresh = runs
      } else if (character === ';') fresh = runs
    }
  }
}

function headOf(code: string, brace: number): string {
  return code.slice(Math.max(...[';', '{', '}'].map((end) => code.lastIndexOf(end, brace - 1))) + 1, brace)
}

function isBlock(head: string, inside: boolean): boolean {
  if (/=\s*$|\breturn\b|\)\s*->[\w\s:<>,&*]+$/.test(head)) return false
  return blockHead.test(head) || (inside && head.trim() === '')
}

function withMarks(text: string, marks: readonly {position: number; text: string}[]): string {
  let result = ''
  let last = 0
  for (const mark of marks) {
    result += text.slice(last, mark.position) + mark.text
    last = mark.position
  }
  return result + text.slice(last)
}

/** The marks are one array of each library: every unit defines it, the linker keeps one. */
function header(size: number): string {
  return `#ifndef REACHED_MARKS
#define REACHED_MARKS
#ifdef __CCE_AICORE__
extern "C" { __attribute__((weak)) __aicore__ __gm__ unsigned char reachedMarks[${size}] = {0}; }
extern "C" { __attribute__((weak)) __aicore__ __gm__ int reachedEnds = 0; }
#define REACHED(at) reachedMarks[at] = 1
#else
#include <cstdio>
extern "C" { __attribute__((weak)) unsigned char reachedMarks[${size}] = {0}; }
#define REACHED(at) if (reachedMarks[at] == 0) { reachedMarks[at] = 1; std::fprintf(stderr, ":%d;", at); }
#endif
#endif
`
}

function reporting(text: string, name: string, size: number): string {
  const source = viewSource('op_kernel/entry.cpp', text)
  const {code} = source
  const head = new RegExp(`\\bvoid\\s+${name}\\s*\\(`).exec(code)
  const close = head ? matching(source, head.index + head[0].length - 1) : undefined
  const brace = close === undefined ? -1 : code.indexOf('{', close)
  if (brace < 0 || !head) return text
  const before = Math.max(code.lastIndexOf(';', head.index), code.lastIndexOf('}', head.index)) + 1
  const start = before + code.slice(before).search(/\S/)
  const digit = [0, 1, 2, 3].map((bit) => `(at + ${bit} < ${size} ? reachedMarks[at + ${bit}] << ${bit} : 0)`)
  const reporter = `struct ReachedReport {
  __aicore__ ~ReachedReport() {
    if (++reachedEnds < AscendC::GetBlockNum()) return;
    for (unsigned at = 0; at < ${size}; at += 4) printf("%x", ${digit.join(' | ')});
    printf("=reached\\n");
    __builtin_trap();
  }
};
`
  return (
    text.slice(0, start) +
    reporter +
    text.slice(start, brace + 1) +
    ' ReachedReport reachedReport; ' +
    text.slice(brace + 1)
  )
}

function marksIn(end: Execution): Set<number>[] {
  const log = end.outcome === 'crashed' ? end.log : ''
  const digits = /([0-9a-f]+)=reached/.exec(log)?.[1]
  if (digits === undefined) return []
  const ofKernel = [...digits].flatMap((digit, at) =>
    [0, 1, 2, 3].filter((bit) => parseInt(digit, 16) & (1 << bit)).map((bit) => 4 * at + bit),
  )
  return [new Set([...ofKernel, ...[...log.matchAll(/:(\d+);/g)].map(([, at]) => Number(at))])]
}

/**
 * A position is run when the statement before it in its block is. Where no statement stands, as among members of a
 * class, nothing is known.
 */
function reachedBy(probes: readonly Probe[], marks: readonly Set<number>[]): Fits {
  return (path, position) => {
    let best: {index: number; probe: Probe} | undefined
    for (const [index, probe] of probes.entries()) {
      if (probe.path !== path || probe.position > position || probe.block[1] < position) continue
      if (
        !best ||
        probe.block[0] > best.probe.block[0] ||
        (probe.block[0] === best.probe.block[0] && probe.position > best.probe.position)
      )
        best = {index, probe}
    }
    return best === undefined || marks.length === 0 || marks.some((set) => set.has(best.index))
  }
}
