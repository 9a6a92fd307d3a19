import {applyEdits} from '../../../cpp/edit.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {viewSource, type Range, type SourceView} from '../../../cpp/source-view.ts'

/** One way to make an operator slower that leaves what it computes as it is. Whether it did, an executor observes. */
export interface Step {
  /** Kebab-case. */
  name: string
  /** The operator behind the step; undefined where it offers no place. */
  take(files: readonly SourceFile[], random: Random): SourceFile[] | undefined
}

export interface Edit extends Range {
  replacement: string
}

type Side = 'op_host' | 'op_kernel'
type Editor = (source: SourceView, random: Random) => readonly Edit[]

/** A step that is taken at all its places. */
export function everywhere(name: string, side: Side, editsOf: Editor): Step {
  return {
    name,
    take(files, random) {
      let found = false
      const changed = files.map((file) => {
        const edits = file.path.startsWith(`${side}/`) ? editsOf(viewSource(file.path, file.text), random) : []
        found ||= edits.length > 0
        return edits.length > 0 ? {...file, text: edited(file.text, edits)} : file
      })
      return found ? changed : undefined
    },
  }
}

/** A step that is taken at one of its places. */
export function somewhere(name: string, side: Side, editsOf: Editor): Step {
  return {
    name,
    take(files, random) {
      const places = files
        .filter(({path}) => path.startsWith(`${side}/`))
        .flatMap((file) => editsOf(viewSource(file.path, file.text), random).map((edit) => ({file, edit})))
      if (places.length === 0) return undefined
      const {file, edit} = random.pick(places)
      return files.map((each) => (each === file ? {...file, text: edited(file.text, [edit])} : each))
    },
  }
}

function edited(text: string, edits: readonly Edit[]): string {
  return applyEdits(
    text,
    edits.map(({start, end, replacement}) => ({start, end, text: replacement})),
  )
}

/** Lines in place of a statement, indented as it is. */
export function statementEdit({text}: SourceView, statement: Range, lines: readonly string[]): Edit {
  const lineStart = text.lastIndexOf('\n', statement.start) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart, statement.start))?.[0] ?? ''
  return {...statement, replacement: lines.join(`\n${indent}`)}
}
