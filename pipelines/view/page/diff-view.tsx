import {structuredPatch} from 'diff'
import {ScrollRegion} from './scroll-region.tsx'
import {useMemo} from 'preact/hooks'
import {codeLines, type Piece} from './code-lines.ts'
import {Pieces} from './code-view.tsx'

export interface DiffSides {
  /** What the lines with − are called, and those with +. */
  names: readonly [before: string, after: string]
  before: string
  after: string
  title: string
}

/** Lines around a change. */
const context = 4

/** Texts that differ too much to be compared in a moment are not. */
const mostEdits = 4000

interface Hunk {
  oldStart: number
  newStart: number
  lines: readonly string[]
}

/** The lines that differ between two codes, in colours, with their numbers on both sides. */
export function DiffView({names, before, after, title}: DiffSides) {
  const hunks = useMemo(() => hunksOf(before, after), [before, after])
  const colours = useMemo(() => ({'-': codeLines(before, 'cpp'), '+': codeLines(after, 'cpp')}), [before, after])
  if (hunks?.length === 0) return null
  return (
    <figure class="code diff">
      <figcaption>
        {title} <span class="gone">− {names[0]}</span> <span class="came">+ {names[1]}</span>
      </figcaption>
      {hunks === undefined ? (
        <p class="quiet">The two have too little in common to compare them line by line.</p>
      ) : (
        <ScrollRegion label={`differences in ${title || 'code'}`}>
          <pre>
            {hunks.map((hunk, at) => (
              <HunkView key={at} hunk={hunk} colours={colours} />
            ))}
          </pre>
        </ScrollRegion>
      )}
    </figure>
  )
}

function hunksOf(before: string, after: string): Hunk[] | undefined {
  const ended = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
  return structuredPatch('', '', ended(before), ended(after), '', '', {context, maxEditLength: mostEdits})?.hunks
}

function HunkView({hunk, colours}: {hunk: Hunk; colours: Readonly<Record<'-' | '+', readonly Piece[][]>>}) {
  let [old, fresh] = [hunk.oldStart, hunk.newStart]
  return (
    <div class="hunk">
      {hunk.lines.map((line, at) => {
        const sign = line[0] === '-' || line[0] === '+' ? line[0] : ' '
        const pieces = sign === '+' ? colours['+'][fresh - 1] : colours['-'][old - 1]
        const numbers = [sign === '+' ? '' : old++, sign === '-' ? '' : fresh++]
        return (
          <div key={at} class={`line ${kinds[sign]}`}>
            <span class="number" data-number={numbers[0]} />
            <span class="number" data-number={numbers[1]} />
            <span class="sign">{sign === '-' ? '−' : sign}</span>
            <Pieces pieces={pieces ?? []} />
            {'\n'}
          </div>
        )
      })}
    </div>
  )
}

const kinds = {'-': 'gone', '+': 'came', ' ': 'same'}
