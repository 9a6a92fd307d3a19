import {useEffect, useMemo, useRef, useState} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import {CodeView} from './code-view.tsx'
import {DecisionsView} from './decisions-view.tsx'
import {DiffView, type DiffSides} from './diff-view.tsx'
import {Badge} from './badge.tsx'
import {embedded} from './embedded.ts'
import {Part} from './part.tsx'
import type {RowsClient} from './rows-client.ts'
import type {WholeRow} from './rows-protocol.ts'
import {sampleOf, type Sample, type Side} from './sample-of.ts'
import {titleOf} from './shown-columns.ts'
import {TextView} from './text-view.tsx'
import {hasTimeline, TimelineView} from './timeline-view.tsx'
import {type MarkBook, readingNames, readingWords} from './use-marks.ts'
import {notesOf, VerdictView} from './verdict-view.tsx'
import {visible} from './code-lines.ts'
import {WayView} from './way-view.tsx'
import type {Reading} from '../../../datasets/schema/mark.ts'
import {useKeys} from './use-keys.ts'

interface SampleOptions {
  config: Config
  row: number
  client: RowsClient
  book: MarkBook
  hasRuns: boolean
  onClose(): void
}

/** One row, read when it is opened. */
export function SampleView({config, row, client, book, hasRuns, onClose}: SampleOptions) {
  const [read, setRead] = useState<{row: number; whole?: WholeRow; error?: string}>({row: -1})
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    let isWanted = true
    const take = (found: {whole?: WholeRow; error?: string}) => {
      if (!isWanted) return
      setRead({row, ...found})
      pane.current?.scrollTo(0, 0)
    }
    client.ask('row', {row}).then(
      (whole) => take({whole}),
      (error: Error) => take({error: error.message}),
    )
    return () => {
      isWanted = false
    }
  }, [client, row])
  const sample = useMemo(() => read.whole && sampleOf(config, read.whole.cells), [config, read.whole])
  const {whole} = read
  return (
    <article
      class="sample"
      ref={pane}
      aria-label="sample"
      aria-busy={read.row !== row}
      data-row={read.row}
      data-bytes={whole?.bytes}
    >
      <button type="button" class="back" onClick={onClose}>
        ← back to the list
      </button>
      {read.error !== undefined && <p class="trouble">{read.error}</p>}
      {sample && whole && (
        <>
          <Head sample={sample} whole={whole} row={read.row} />
          {!embedded && (
            <MarkPanel book={book} row={{id: sample.id, config, path: whole.file.path, row: whole.inFile}} />
          )}
          <SampleParts sample={sample} whole={whole} hasRuns={hasRuns} />
        </>
      )}
    </article>
  )
}

const badgeColumns = [
  'kind',
  'task',
  'name',
  'language',
  'proof',
  'outcome',
  'failed_class',
  'class',
  'strategy',
  'label',
]

function Head({
  sample: {id, source, sides},
  whole: {cells, file},
  row,
}: {
  sample: Sample
  whole: WholeRow
  row: number
}) {
  const badges = badgeColumns.flatMap((name) => (typeof cells[name] === 'string' ? [String(cells[name])] : []))
  return (
    <header>
      <p class="badges">
        {[...new Set([...badges, ...sides.map(({label}) => label), file.split])].map(
          (text) => text && <Badge text={text} />,
        )}
      </p>
      <h2>{visible(source)}</h2>
      <p class="quiet">
        row {row.toLocaleString('en')} · <code>{id}</code>
      </p>
    </header>
  )
}

/** Everything of a row but its name. */
export function SampleParts({sample, whole, hasRuns}: {sample: Sample; whole?: WholeRow; hasRuns: boolean}) {
  const {sides, prompt, decisions, evidence, facts, id} = sample
  const differences = differencesOf(sample)
  const timeline = whole ? `rows/${whole.file.id}/${whole.inFile}` : `records/${id}`
  return (
    <>
      {sides.some(({found}) => found !== '') && (
        <div class={sides.length > 1 ? 'sides' : ''}>
          {sides.map((side) => (
            <FoundView key={side.title} side={side} isAlone={sides.length === 1} />
          ))}
        </div>
      )}
      {differences.length > 0 && (
        <Part title={titleOfDifferences(sample)} open>
          {differences.map((one) => (
            <DiffView key={one.title} {...one} />
          ))}
        </Part>
      )}
      <Part title={sides.length > 0 ? 'Prompt' : 'Content'} open={differences.length === 0}>
        <TextView key={id} text={prompt} />
      </Part>
      {sides.map((side) => (
        <SideView key={`${id} ${side.title}`} side={side} isAlone={sides.length === 1} />
      ))}
      {decisions.length > 0 && (
        <Part title={`Decisions behind the reasoning, ${decisions.length}`}>
          <DecisionsView decisions={decisions} />
        </Part>
      )}
      {isAboutKernel(sample) && hasTimeline(timeline) && (
        <Part title="Timeline, modelled">
          <TimelineView key={id} of={timeline} />
        </Part>
      )}
      <Part title="Where it came from">
        {evidence.map((place) => (
          <p key={place} class="quiet">
            also shown to the writer: {visible(place)}
          </p>
        ))}
        <WayView id={id} hasRuns={hasRuns} />
      </Part>
      <Part title="All fields">
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{titleOf(name)}</dt>
              <dd>{visible(value)}</dd>
            </div>
          ))}
        </dl>
        {whole && whole.bytes > 0 && (
          <p class="quiet">
            Read {sizeOf(whole.bytes)} of {sizeOf(whole.file.bytes)} to show this row.
          </p>
        )}
      </Part>
    </>
  )
}

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

/** Prose, and the code of an example, is no operator. */
function isAboutKernel({facts, sides}: Sample): boolean {
  const kind = facts.find(([name]) => name === 'kind')?.[1] ?? 'pair'
  return sides.length > 0 && !['documentation', 'general'].includes(kind)
}

function titleOfDifferences({wrong, facts}: Sample): string {
  if (wrong.length === 0) return 'Differences'
  return isStep(facts) ? 'Before and after' : 'Wrong and fixed'
}

const isStep = (facts: Sample['facts']) => facts.some(([name]) => name === 'step')

/** Files of both sides, or what was wrong and the fix, file by file. */
function differencesOf({sides, wrong, facts}: Sample): DiffSides[] {
  const [first, second] = sides
  if (first && second) return paired(second.files, first.files, [second.title, first.title])
  return first && wrong.length > 0
    ? paired(wrong, first.files, isStep(facts) ? ['before', 'after'] : ['wrong', 'fixed'])
    : []
}

function paired(before: Side['files'], after: Side['files'], names: DiffSides['names']): DiffSides[] {
  const textOf = (files: Side['files'], path: string) => files.find((file) => file.path === path)?.text ?? ''
  const paths = [...new Set([...before, ...after].map(({path}) => path))]
  return paths
    .map((path) => ({title: path, names, before: textOf(before, path), after: textOf(after, path)}))
    .filter((one) => one.before.trimEnd() !== one.after.trimEnd())
}

function FoundView({side: {title, label, found, verdict, files}, isAlone}: {side: Side; isAlone: boolean}) {
  return (
    <section aria-label={`verdict on ${title}`}>
      <p>
        {!isAlone && <b>{title} </b>}
        {label !== '' && <Badge text={label} />} {found}
      </p>
      {verdict && <VerdictView verdict={verdict} paths={files.map(({path}) => path)} />}
    </section>
  )
}

/** Reasoning and answer; where a compiler complained, the code with its messages. */
function SideView({side, isAlone}: {side: Side; isAlone: boolean}) {
  const {title, reasoning, answer, files, verdict} = side
  const noted = files.filter(({path}) => notesOf(verdict, path).size > 0)
  const suffix = isAlone ? '' : `, ${title}`
  return (
    <>
      {noted.length > 0 && (
        <Part title={`Messages of the compiler${suffix}`} open>
          {noted.map(({path, text}) => (
            <CodeView key={path} title={path} code={text} notes={notesOf(verdict, path)} />
          ))}
        </Part>
      )}
      {reasoning !== '' && (
        <Part title={`Reasoning${suffix}`} open={isAlone}>
          <TextView text={reasoning} />
        </Part>
      )}
      <Part title={`Answer${suffix}`} open={isAlone}>
        <TextView text={answer} />
      </Part>
    </>
  )
}

interface Marking {
  book: MarkBook
  row: {id: string; config: Config; path: string; row: number}
}

/** What readers said of a row, and keys to say it with. */
function MarkPanel({book, row}: Marking) {
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
