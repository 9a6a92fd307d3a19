import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import {Badge} from './badge.tsx'
import {visible} from './code-lines.ts'
import type {RowsClient} from './rows-client.ts'
import type {Line} from './rows-protocol.ts'
import type {Shown} from './shown-columns.ts'

interface ListOptions {
  client: RowsClient
  shown: Shown
  count: number
  /** Changes when the list has other rows. */
  turn: number
  /** What was asked for: another question starts at the top. */
  asked: object
  /** Place of the row that the keys are at, from 0. */
  at: number
  onOpen(line: Line, place: number): void
}

const lineHeight = 58
/** Browsers draw no element that is much higher: beyond it, a step of the bar is several rows. */
const mostHeight = 8_000_000
const beyond = 6

/** A list of any length, of which only what is in sight is drawn and read. */
export function RowList({client, shown, count, turn, asked, at, onOpen}: ListOptions) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [seen, setSeen] = useState(800)
  const whole = count * lineHeight
  const height = Math.min(whole, mostHeight)
  const scale = whole > height && height > seen ? (whole - seen) / (height - seen) : 1
  const first = Math.max(0, Math.floor((top * scale) / lineHeight) - beyond)
  const last = Math.min(count, Math.ceil((top * scale + seen) / lineHeight) + beyond)
  const lines = useLines(client, {first, last, turn})
  const heads = useHeads(client, lines.lines, turn)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setSeen(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => void box.current?.scrollTo(0, 0), [asked])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || at < 0) return
    const place = at * lineHeight
    const from = element.scrollTop * scale
    if (place < from) element.scrollTop = place / scale
    else if (place + lineHeight > from + seen) element.scrollTop = (place + lineHeight - seen) / scale
  }, [at, seen, scale])

  return (
    <div
      class="rows"
      ref={box}
      role="listbox"
      aria-label={`${count} rows`}
      tabIndex={0}
      aria-activedescendant={at >= lines.from && at < lines.from + lines.lines.length ? `line-${at}` : undefined}
      onScroll={({currentTarget}) => setTop(currentTarget.scrollTop)}
    >
      <div class="spacer" style={{height: `${height}px`}}>
        {lines.lines.map((line, index) => {
          const place = lines.from + index
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys of the page open the row that they are at
            <div
              key={place}
              id={`line-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              aria-setsize={count}
              aria-posinset={place + 1}
              class="row"
              data-row={line.row}
              style={{transform: `translateY(${place * lineHeight - top * scale + top}px)`}}
              onClick={() => onOpen(line, place)}
            >
              <RowLine line={line} shown={shown} head={heads[line.row]} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function RowLine({line: {cells, path, row}, shown, head}: {line: Line; shown: Shown; head: string | undefined}) {
  const number = shown.numbers[0]
  const size = number === undefined ? null : cells[number]
  const badges = [...shown.badges.map((name) => cells[name]), cells['mark']]
  return (
    <>
      <span class="head">{visible(head ?? (path || `row ${row}`))}</span>
      <span class="about">
        {badges.map((text, at) => typeof text === 'string' && text !== '' && <Badge key={at} text={text} />)}
        <span class="tail quiet">
          {visible(path.split('/').at(-1) ?? '')}
          {typeof size === 'number' && ` · ${size.toLocaleString('en')}`}
        </span>
      </span>
    </>
  )
}

interface Span {
  first: number
  last: number
  turn: number
}

/** The lines in sight; while others are read, those that were. */
function useLines(client: RowsClient, {first, last, turn}: Span): {from: number; lines: readonly Line[]} {
  const [held, setHeld] = useState<{from: number; lines: readonly Line[]}>({from: 0, lines: []})
  useEffect(() => {
    let isWanted = true
    void client.ask('lines', {from: first, to: last}).then((lines) => isWanted && setHeld({from: first, lines}))
    return () => {
      isWanted = false
    }
  }, [client, first, last, turn])
  return held
}

/** How long the list has to stand still before first words are read. */
const stillFor = 120

function useHeads(client: RowsClient, lines: readonly Line[], turn: number): Readonly<Record<number, string>> {
  const [heads, setHeads] = useState<Record<number, string>>({})
  useEffect(() => {
    const rows = lines.map(({row}) => row).filter((row) => !(row in heads))
    if (rows.length === 0) return
    const timer = setTimeout(() => {
      client.ask('heads', {rows}).then(
        (found) => setHeads((before) => ({...(Object.keys(before).length > 5000 ? {} : before), ...found})),
        () => undefined,
      )
    }, stillFor)
    return () => clearTimeout(timer)
  }, [client, lines, turn, heads])
  return heads
}
