import {useState} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import {agreements, lastMarks} from '../agreement-of-readers.ts'
import {go, hashOf, withParams, type Address} from './address.ts'
import {readingNames, type MarkBook} from './use-marks.ts'

/** Rows to read by chance, and what readers have said so far. */
export function ReadersView({address, book, config}: {address: Address; book: MarkBook; config: Config}) {
  const {params} = address
  const [count, setCount] = useState(params.get('draw') ?? '40')
  const [seed, setSeed] = useState(params.get('seed') ?? 'reading')
  const marks = book.marks.filter((mark) => mark.config === config)
  return (
    <section aria-label="reading">
      <form
        class="draw"
        onSubmit={(event) => {
          event.preventDefault()
          go(withParams(address, {draw: count, seed, row: undefined}))
        }}
      >
        <fieldset>
          <legend>rows to read</legend>
          <label>
            draw{' '}
            <input class="short" inputMode="numeric" value={count} onInput={(e) => setCount(e.currentTarget.value)} />
          </label>{' '}
          <label>
            seed <input class="short" value={seed} onInput={(e) => setSeed(e.currentTarget.value)} />
          </label>{' '}
          <button type="submit">Draw</button>{' '}
          {params.has('draw') && <a href={hashOf(address.page, address.part)}>all rows</a>}
        </fieldset>
      </form>
      {[...lastMarks(marks)].map(([reader, own]) => (
        <p key={reader} class="quiet">
          {reader}: {own.size} read,{' '}
          {readingNames
            .map((name) => [name, [...own.values()].filter(({mark}) => mark === name).length] as const)
            .filter(([, many]) => many > 0)
            .map(([name, many]) => `${many} ${name}`)
            .join(', ')}
        </p>
      ))}
      {agreements(marks).map(({readers, both, alike, kappa}) => (
        <p key={readers.join()} class="quiet agreement">
          {readers.join(' and ')} agree on {alike} of {both} rows
          {kappa !== undefined && `, Cohen’s κ ${kappa.toFixed(2)}`}
        </p>
      ))}
    </section>
  )
}
