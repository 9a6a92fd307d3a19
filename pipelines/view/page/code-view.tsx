import {ScrollRegion} from './scroll-region.tsx'
import {useMemo, useState} from 'preact/hooks'
import {codeLines, visible, type Piece} from './code-lines.ts'

/** Messages by line, from 1. */
export type Notes = ReadonlyMap<number, readonly {severity: string; message: string}[]>

interface CodeOptions {
  code: string
  language?: string
  title?: string
  notes?: Notes
}

/** Lines shown at first, and of each line this many characters. */
const linesAtFirst = 400
const mostOfLine = 2000

/** Code in colours with its line numbers, and messages below the lines that they are about. */
export function CodeView({code, language = 'cpp', title = '', notes}: CodeOptions) {
  const lines = useMemo(() => codeLines(code.replace(/\n$/, ''), language), [code, language])
  const [shown, setShown] = useState(linesAtFirst)
  return (
    <figure class="code">
      {title !== '' && <figcaption>{visible(title)}</figcaption>}
      <ScrollRegion label={title === '' ? 'code' : title}>
        <pre>
          {lines.slice(0, shown).map((pieces, at) => (
            <CodeLine key={at} number={at + 1} pieces={pieces} notes={notes?.get(at + 1) ?? []} />
          ))}
        </pre>
      </ScrollRegion>
      {lines.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more of {lines.length} lines
        </button>
      )}
    </figure>
  )
}

function CodeLine({number, pieces, notes}: {number: number; pieces: readonly Piece[]; notes: readonly Note[]}) {
  return (
    <div class={notes.length > 0 ? 'line noted' : 'line'}>
      <span class="number" data-number={number} />
      <Pieces pieces={pieces} />
      {'\n'}
      {notes.map(({severity, message}, at) => (
        <div key={at} class={`note ${severity}`}>
          {severity}: {visible(message)}
        </div>
      ))}
    </div>
  )
}

type Note = {severity: string; message: string}

/** A line in colours, cut where it goes on and on. */
export function Pieces({pieces}: {pieces: readonly Piece[]}) {
  let left = mostOfLine
  return (
    <>
      {pieces.map(({text, kind}, at) => {
        if (left <= 0) return null
        const shown = text.slice(0, left)
        left -= shown.length
        return (
          <span key={at} class={kind || undefined}>
            {visible(shown)}
            {left <= 0 && ' …'}
          </span>
        )
      })}
    </>
  )
}
