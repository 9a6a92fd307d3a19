import {useEffect, useRef, useState} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Folder} from '../protocol.ts'
import {startRows, type RowsClient} from './rows-client.ts'
import type {Asking, Requests} from './rows-protocol.ts'
import {token} from './server-answers.ts'
import {shownOf} from './shown-columns.ts'
import type {MarkBook} from './use-marks.ts'

interface Rows {
  client: RowsClient | undefined
  rows: number
  read: number
  searched: number | undefined
  problem: string
}

const noRows: Rows = {client: undefined, rows: 0, read: 0, searched: undefined, problem: ''}

/** A worker for the rows of a configuration. */
export function useRows(folder: Folder, config: Config): Rows {
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
export function useFound(client: RowsClient | undefined, {asking, read, book: {marks}}: Finding): Found {
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
