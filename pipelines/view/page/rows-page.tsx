import {useRef, useMemo, useEffect, useLayoutEffect, useState} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Folder} from '../protocol.ts'
import {go, withParams, type Address, type Params} from './address.ts'
import {embedded} from './embedded.ts'
import {Facets, cellsOf} from './facets.tsx'
import {ReadersView} from './readers-view.tsx'
import {RowList} from './row-list.tsx'
import {SampleView} from './sample-view.tsx'
import {countText, SearchBar} from './search-bar.tsx'
import {shownOf, ofEvery} from './shown-columns.ts'
import {useKeys} from './use-keys.ts'
import type {MarkBook} from './use-marks.ts'
import type {Asking, Requests} from './rows-protocol.ts'
import {type RowsClient, startRows} from './rows-client.ts'
import {token} from './server-answers.ts'

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

/** What the address asks for; the same object as long as it asks for the same, whichever row is open. */
function useAsking({params}: Address, config: Config): Asking {
  const asked = new URLSearchParams(params)
  asked.delete('row')
  return useMemo(() => askingOf(asked, config), [asked.toString(), config])
}

/** Values that are chosen of each column. */
function chosenIn(params: URLSearchParams, config: Config): [string, string[]][] {
  return [...ofEvery, ...shownOf[config].facets].map((name): [string, string[]] => [name, params.getAll(name)])
}

function askingOf(params: URLSearchParams, config: Config): Asking {
  const filters = chosenIn(params, config).map(([name, values]) => [name, values.flatMap(cellsOf)] as const)
  const draw = params.get('draw')
  return {
    filters: Object.fromEntries(filters),
    words: (params.get('q') ?? '').split(/\s+/).filter((word) => word !== ''),
    inTexts: params.get('in') === 'texts',
    sort: params.get('sort') ?? '',
    draw: draw === null ? undefined : {count: Number(draw) || 40, seed: params.get('seed') ?? ''},
  }
}

interface Placing {
  asking: Asking
  open: string | null
  count: number
  turn: number
}

/** Where in the list the keys are. Keys may come faster than what they lead to is drawn. */
function usePlace(client: RowsClient | undefined, {asking, open, count, turn}: Placing) {
  const [at, setAt] = useState(-1)
  const place = useRef(-1)
  const moveTo = (next: number) => {
    place.current = next
    setAt(next)
  }
  useLayoutEffect(() => moveTo(-1), [client, asking])
  useEffect(() => {
    // A link opens a row, and the keys start from there.
    if (client && open !== null && place.current < 0) void client.ask('place', {row: Number(open)}).then(moveTo)
  }, [client, turn, open])
  /** @returns the number of the row there */
  const move = async (by: number): Promise<number | undefined> => {
    if (count === 0) return undefined
    const next = Math.max(0, Math.min(count - 1, place.current + by))
    moveTo(next)
    const [line] = (await client?.ask('lines', {from: next, to: next + 1})) ?? []
    return line?.row
  }
  return {at, move, moveTo}
}

interface Rows {
  client: RowsClient | undefined
  rows: number
  read: number
  searched: number | undefined
  problem: string
}

const noRows: Rows = {client: undefined, rows: 0, read: 0, searched: undefined, problem: ''}

/** A worker for the rows of a configuration. */
function useRows(folder: Folder, config: Config): Rows {
  const [state, setState] = useState(noRows)
  useEffect(() => {
    const client = startRows()
    setState(noRows)
    client.onTold = ({read, searched}) =>
      setState((before) => ({...before, read, searched: searched === 1 ? undefined : searched}))
    client
      .ask('open', {files: folder.files.filter((one) => one.config === config), shown: shownOf[config], token})
      .then(
        ({rows}) => setState((before) => ({...before, client, rows})),
        (error: Error) => setState({...noRows, problem: error.message}),
      )
    return () => client.close()
  }, [folder, config])
  return state
}

interface Finding {
  asking: Asking
  /** Rows that have been read: what is found grows with them. */
  read: number
  book: MarkBook
}

type Found = Requests['find'][1] & {
  /** Changes when the list has other rows. */
  turn: number
}

const nothing: Found = {count: 0, facets: {}, complete: false, turn: 0}

/** What is found, again and again while rows arrive. */
function useFound(client: RowsClient | undefined, {asking, read, book: {marks}}: Finding): Found {
  const [found, setFound] = useState(nothing)
  const last = useRef<{asking?: Asking; isBusy: boolean; isStale: boolean}>({isBusy: false, isStale: false})
  useEffect(() => {
    if (client) void client.ask('marks', marks)
  }, [client, marks])
  useEffect(() => {
    if (!client) return
    // More rows for the same question wait until it is answered; another question does not.
    if (last.current.isBusy && last.current.asking === asking) {
      last.current.isStale = true
      return
    }
    const mine = {asking, isBusy: true, isStale: true}
    last.current = mine
    const look = async () => {
      while (mine.isStale) {
        mine.isStale = false
        const next = await client.ask('find', asking)
        if (last.current !== mine) return
        setFound(({turn}) => ({...next, turn: turn + 1}))
      }
    }
    void look()
      .catch(() => undefined)
      .finally(() => Object.assign(mine, {isBusy: false}))
  }, [client, asking, read, marks])
  return found
}
