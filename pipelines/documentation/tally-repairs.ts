import {join} from 'node:path'
import {DocPage} from '../../datasets/schema/document.ts'
import {writeWhole} from '../../engine/files.ts'
import type {Stage} from '../../engine/stage.ts'

interface Tally {
  pages: number
  /** By kind, outcome and way, e.g. `formula repaired by rule` or `figure image-missing`. */
  images: Record<string, number>
  latex: {formulas: number; unparsable: number}
  textRepairs: Record<string, number>
  /** The formulas that stayed images, with the reason. */
  unresolved: {page: string; file: string; reason: string}[]
}

/**
 * Counts the outcomes of images, formulas and broken text, and writes them to `repairs.json` in its directory. Pages
 * pass unchanged.
 */
export default function tallyRepairs(): Stage<DocPage, DocPage> {
  return {
    name: 'documentation-tally-repairs',
    version: 1,
    input: DocPage,
    output: DocPage,
    async *run(pages, context) {
      const tally: Tally = {
        pages: 0,
        images: {},
        latex: {formulas: 0, unparsable: 0},
        textRepairs: {},
        unresolved: [],
      }
      for await (const page of pages) {
        count(page, tally)
        yield page
      }
      await writeWhole(join(context.directory, 'repairs.json'), `${JSON.stringify(tally, null, 2)}\n`)
    },
  }
}

function count({origin, images = [], repairs = [], latex}: DocPage, tally: Tally): void {
  tally.pages += 1
  for (const {kind, outcome, how, file, reason = outcome} of images) {
    add(tally.images, how ? `${kind} ${outcome} by ${how}` : `${kind} ${outcome}`)
    if (kind === 'formula' && outcome !== 'repaired') tally.unresolved.push({page: origin.path, file, reason})
  }
  for (const {what} of repairs) add(tally.textRepairs, what)
  tally.latex.formulas += latex?.formulas ?? 0
  tally.latex.unparsable += latex?.faulty.length ?? 0
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}
