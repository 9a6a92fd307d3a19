import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {lineAt, viewSource, wholeLines, type Range, type SourceView} from './source.ts'

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

type Side = 'op_host' | 'op_kernel'

/** A mutation that is a list of places: one is picked, its text replaced. */
export function siteMutation(name: string, side: Side, findSites: (source: SourceView) => Site[]): Mutation {
  return {
    name,
    apply(files, random, fits = () => true) {
      const choices = files
        .filter(({path}) => path.startsWith(`${side}/`))
        .flatMap((file) => findSites(viewSource(file.path, file.text)).map((site) => ({file, site})))
        .filter(
          ({file, site}) =>
            file.text.slice(site.start, site.end) !== site.replacement &&
            fits(file.path, nextCode(file.text, site.runs ?? site.start)),
        )
      if (choices.length === 0) return undefined
      const {file, site} = random.pick(choices)
      const text = file.text.slice(0, site.start) + site.replacement + file.text.slice(site.end)
      return {
        files: files.map((each) => (each === file ? {...each, text} : each)),
        detail: `${file.path} line ${lineAt(file.text, site.start)}: ${site.says}`,
      }
    },
  }
}

function nextCode(text: string, from: number): number {
  return from + text.slice(from).search(/\S|$/)
}

/** Takes a range out, with its line when it stands alone. */
export function without(source: SourceView, range: Range, says: string): Site {
  return {...wholeLines(source.text, range), replacement: '', says}
}

/** All matches of a pattern in the code. `replace` gives the new text for the whole match, or undefined to leave it. */
export function sitesOf(
  source: SourceView,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => Pick<Site, 'replacement' | 'says' | 'runs'> | undefined,
): Site[] {
  const sites: Site[] = []
  for (const match of source.code.matchAll(pattern)) {
    const change = replace(match)
    if (change) sites.push({start: match.index, end: match.index + match[0].length, ...change})
  }
  return sites
}
