import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {matchesOf, pattern, type Pattern} from '../../../cpp/pattern.ts'
import {
  foundIn,
  lineAt,
  viewSource,
  wholeLines,
  type Found,
  type Range,
  type SourceView,
} from '../../../cpp/source-view.ts'

/** A faulty variant of an operator. It makes no claim about how it fails: an executor observes that. */
export interface Mutant {
  files: SourceFile[]
  /** `op_kernel/add.cpp line 41: EnQue(xLocal) left out` */
  detail: string
}

/** One kind of fault that people and models make in Ascend C. */
export interface Mutation {
  /** Kebab-case; also used to keep pairs varied. */
  name: string
  /** Every place of an operator where the fault can be planted, in the order of its files. */
  places(sources: readonly SourceView[]): Place[]
  /**
   * Plants the fault at one place, chosen at random among those that `fits` takes; undefined when the operator offers
   * none.
   */
  apply(files: readonly SourceFile[], random: Random, fits?: Fits): Mutant | undefined
}

/** Whether a fault may be planted at a position of a file: the caller may know which code its cases run. */
export type Fits = (path: string, position: number) => boolean

/** A place where a fault can be planted, and the text that plants it. */
export interface Site extends Range {
  replacement: string
  /** What is wrong now, in a few words. */
  says: string
  /** Where code must run for the fault to matter; default the place itself. */
  runs?: number
}

/** A site with its file. */
export interface Place extends Site {
  path: string
}

type Side = 'op_host' | 'op_kernel'

/** A mutation that is a list of places: one is picked, its text replaced. */
export function siteMutation(name: string, side: Side, findSites: (source: SourceView) => Site[]): Mutation {
  const places: Mutation['places'] = (sources) =>
    sources
      .filter(({path}) => path.startsWith(`${side}/`))
      .flatMap((source) =>
        findSites(source)
          .filter(({start, end, replacement}) => source.text.slice(start, end) !== replacement)
          .map((site) => ({...site, path: source.path})),
      )
  return {
    name,
    places,
    apply(files, random, fits = () => true) {
      const textOf = new Map(files.map(({path, text}) => [path, text]))
      const choices = places(viewFiles(files)).filter(({path, start, runs = start}) =>
        fits(path, nextCode(textOf.get(path) ?? '', runs)),
      )
      return choices.length === 0 ? undefined : plantAt(files, random.pick(choices))
    },
  }
}

export function viewFiles(files: readonly SourceFile[]): SourceView[] {
  return files.map(({path, text}) => viewSource(path, text))
}

/** The operator with a fault at one place of it. */
export function plantAt(files: readonly SourceFile[], place: Place): Mutant {
  const {path, start, end, replacement, says} = place
  let detail = ''
  const planted = files.map((file) => {
    if (file.path !== path) return file
    detail = `${path} line ${lineAt(file.text, start)}: ${says}`
    return {...file, text: file.text.slice(0, start) + replacement + file.text.slice(end)}
  })
  return {files: planted, detail}
}

function nextCode(text: string, from: number): number {
  return from + text.slice(from).search(/\S|$/)
}

/** Replaces the text of a range. */
export function replaced({start, end}: Range, replacement: string, says: string): Site {
  return {start, end, replacement, says}
}

/** A text put in at a position. */
export function inserted(at: number, replacement: string, says: string): Site {
  return {start: at, end: at, replacement, says}
}

const nameOrCall = /^[\w.:]+(?:(?:<[\w\s:]*>)?\([^()]*\))?$/

/** A text as an operand: anything but a single name, number, call or cast gets parentheses. */
export const operand = (text: string) => (nameOrCall.test(text) ? text : `(${text})`)

/** Removes a range, with its line if it is alone there. */
export function without(source: SourceView, range: Range, says: string): Site {
  return {...wholeLines(source.text, range), replacement: '', says}
}

const flags = '(?:CrossCore)?(?:Set|Wait)Flag|HardEvent|SyncAll|GetBlockIdx'
const interfaceNames = new RegExp(`(?<![\\w.:>])(?:${flags}|TPipe|SetAtomic\\w+|PipeBarrier|DataCopy)\\b`, 'g')

const usesNamespace = pattern('using namespace AscendC')

/** A line of the interface as a file has to write it: one that does not use the namespace AscendC names it. */
export function inFile(source: SourceView, line: string): string {
  return matchesOf(source, [usesNamespace]).next().done ? line.replace(interfaceNames, 'AscendC::$&') : line
}

type Change = Pick<Site, 'replacement' | 'says' | 'runs'>

/** All places where one of some patterns fits. */
export function placesOf(
  source: SourceView,
  forms: string | readonly string[],
  replace: (found: Found) => Change | undefined,
  takes: Pattern['takes'] = {},
): Site[] {
  return foundIn(source, ...[forms].flat().map((form) => pattern(form, takes))).flatMap((found) => {
    const change = replace(found)
    return change ? [{start: found.start, end: found.end, ...change}] : []
  })
}

/** All tokens that are one of some words. */
export function wordSites(
  source: SourceView,
  words: ReadonlySet<string>,
  replace: (word: string) => Change | undefined,
) {
  return placesOf(source, '$word', ({text}) => replace(text), {word: words})
}
