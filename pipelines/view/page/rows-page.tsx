import {useRef} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Folder} from '../protocol.ts'
import {go, withParams, type Address, type Params} from './address.ts'
import {chosenIn, useAsking} from './asking.ts'
import {embedded} from './embedded.ts'
import {Facets} from './facets.tsx'
import {ReadersView} from './readers-view.tsx'
import {RowList} from './row-list.tsx'
import {SampleView} from './sample-view.tsx'
import {countText, SearchBar} from './search-bar.tsx'
import {shownOf} from './shown-columns.ts'
import {useKeys} from './use-keys.ts'
import type {MarkBook} from './use-marks.ts'
import {usePlace} from './use-place.ts'
import {useFound, useRows} from './use-rows.ts'

interface RowsOptions {
  folder: Folder
  address: Address
  config: Config
  book: MarkBook
}

/** Rows of a configuration: what to choose by, the list, and the row that is open. */
export function RowsPage({folder, address, config, book}: RowsOptions) {
  const shown = shownOf[config]
  const {client, rows, read, searched, problem} = useRows(folder, config)
  const asking = useAsking(address, config)
  const found = useFound(client, {asking, read, book})
  const open = address.params.get('row')
  const search = useRef<HTMLInputElement>(null)
  const change = (params: Params, how?: {replace: boolean}) => go(withParams(address, params), how)
  const {at, move, moveTo} = usePlace(client, {asking, open, count: found.count, turn: found.turn})
  const step = async (by: number) => {
    const row = await move(by)
    if (row !== undefined && open !== null) change({row}, {replace: true})
  }
  const openHere = async () => {
    const row = await move(0)
    if (row !== undefined) change({row})
  }
  const close = () => {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
    else change({row: undefined})
  }
  useKeys({
    ...{j: () => void step(1), ArrowDown: () => void step(1), k: () => void step(-1), ArrowUp: () => void step(-1)},
    ...{Enter: () => void openHere(), '/': () => search.current?.focus(), Escape: close},
  })

  return (
    <main class={open === null ? 'browse' : 'browse open'}>
      <details class="facets" open={matchMedia('(min-width: 900px)').matches}>
        <summary>Choose rows</summary>
        <Facets
          facets={found.facets}
          chosen={Object.fromEntries(chosenIn(address.params, config))}
          onChoose={(name, values) => change({[name]: values, row: undefined})}
        />
        {!embedded && <ReadersView address={address} book={book} config={config} />}
      </details>
      <section class="list" aria-label="rows">
        <SearchBar params={address.params} config={config} field={search} onChange={change} />
        <p class="quiet count" role="status" data-complete={found.complete && searched === undefined}>
          {problem || countText(found.count, rows, {read, searched})}
        </p>
        {client && (
          <RowList
            client={client}
            shown={shown}
            count={found.count}
            turn={found.turn}
            asked={asking}
            at={at}
            onOpen={({row}, place) => {
              moveTo(place)
              change({row})
            }}
          />
        )}
      </section>
      {client && open !== null && (
        <SampleView
          config={config}
          row={Number(open)}
          client={client}
          book={book}
          hasRuns={folder.hasRuns}
          onClose={() => change({row: undefined})}
        />
      )}
      {open === null && <Hint />}
    </main>
  )
}

const hints: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['j', 'k'], 'move'],
  [['Enter'], 'open'],
  [['/'], 'search'],
  ...(embedded ? [] : ([[['1', '2', '3', '4'], 'mark']] as const)),
  [['Esc'], 'close'],
]

function Hint() {
  return (
    <p class="hint quiet">
      {hints.map(([keys, what]) => (
        <span key={what}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{' '}
          {what}
        </span>
      ))}
    </p>
  )
}
