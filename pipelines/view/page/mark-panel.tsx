import {useRef} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Reading} from '../../../datasets/schema/mark.ts'
import {useKeys} from './use-keys.ts'
import {readingNames, readingWords, type MarkBook} from './use-marks.ts'

interface Marking {
  book: MarkBook
  row: {id: string; config: Config; path: string; row: number}
}

/** What readers said of a row, and keys to say it with. */
export function MarkPanel({book, row}: Marking) {
  const said = book.marks.filter(({id}) => id === row.id)
  const own = said.findLast(({reader}) => reader === book.reader)
  // Read when it is needed: a key may follow the last letter before anything is drawn.
  const note = useRef<HTMLInputElement>(null)
  const mark = (reading: Reading) => void book.add({...row, mark: reading, note: note.current?.value ?? ''})
  useKeys(Object.fromEntries(readingNames.map((name, at) => [String(at + 1), () => mark(name)])))
  return (
    <section class="marks" aria-label="your reading">
      <fieldset class="choices" aria-label="mark this row">
        {readingNames.map((name, at) => (
          <button
            key={name}
            type="button"
            class={`mark ${name}`}
            aria-pressed={own?.mark === name}
            title={`${readingWords[name]} (key ${at + 1})`}
            onClick={() => mark(name)}
          >
            <kbd>{at + 1}</kbd> {name}
          </button>
        ))}
      </fieldset>
      <div class="fields">
        <label>
          note <input key={`${row.id} ${own?.at}`} ref={note} defaultValue={own?.note ?? ''} maxLength={10_000} />
        </label>
        <label>
          reader{' '}
          <input
            class="short"
            value={book.reader}
            placeholder="reader"
            maxLength={200}
            onInput={({currentTarget}) => book.setReader(currentTarget.value)}
          />
        </label>
      </div>
      {book.problem !== '' && <p class="trouble">{book.problem}</p>}
      {said.map((one, at) => (
        <p key={at} class="quiet">
          {one.reader}: <b>{one.mark}</b> {one.note && `“${one.note}”`} {one.at.slice(0, 16).replace('T', ' ')}
        </p>
      ))}
    </section>
  )
}
