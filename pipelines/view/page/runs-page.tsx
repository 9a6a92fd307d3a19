import {useEffect, useRef, useState} from 'preact/hooks'
import type {StageCounts} from '../../../engine/progress.ts'
import type {Drops, Records, Runs, RunState} from '../protocol.ts'
import {hashOf, type Address} from './address.ts'
import {Badge} from './badge.tsx'
import {visible} from './code-lines.ts'
import {CurveView} from './curve-view.tsx'
import {ScrollRegion} from './scroll-region.tsx'
import {useAnswer} from './server-answers.ts'
import {marked} from './text-view.tsx'

/** How often runs are looked at, in seconds; a run saves its counts as often. */
const every = 2

/** Runs as they stand, followed while they go on: stages, rates, drops and labels. */
export function RunsPage({address: {params}}: {address: Address}) {
  const {value, error} = useAnswer<Runs>('/api/runs', every)
  const rates = useRates(value)
  if (error !== undefined) return <main class="message trouble">{error}</main>
  if (!value) return <main class="message" aria-busy="true" />
  if (value.runs.length === 0) return <main class="message">No run has started here yet; this page waits for one.</main>
  return (
    <main class="runs">
      {value.runs.map((run) => (
        <RunView key={run.recipe} run={run} rates={rates} chosen={chosenOf(params, run)} />
      ))}
    </main>
  )
}

/** What is shown of a run: the drops of a stage, or records from a place on. */
interface Chosen {
  stage?: string | undefined
  from?: string | undefined
}

function chosenOf(params: URLSearchParams, {recipe}: RunState): Chosen {
  if (params.get('run') !== recipe) return {}
  return {stage: params.get('stage') ?? undefined, from: params.get('from') ?? undefined}
}

type Rates = ReadonlyMap<string, number>

const stageKey = (run: string, stage: string) => `${run} ${stage}`

/** Records per second of each stage, of the time between the last two looks. */
function useRates(now: Runs | undefined): Rates {
  const before = useRef<{at: number; read: Map<string, number>}>({at: 0, read: new Map()})
  const [rates, setRates] = useState<Rates>(new Map())
  useEffect(() => {
    if (!now) return
    const at = performance.now()
    const counts = now.runs.flatMap(({recipe, stages}) =>
      stages.map(({stage, read}): [string, number] => [stageKey(recipe, stage), read]),
    )
    const {at: then, read} = before.current
    const perSecond = (key: string, count: number) => (1000 * (count - (read.get(key) ?? count))) / (at - then)
    setRates(new Map(counts.map(([key, count]): [string, number] => [key, perSecond(key, count)])))
    before.current = {at, read: new Map(counts)}
  }, [now])
  return rates
}

function RunView({run, rates, chosen}: {run: RunState; rates: Rates; chosen: Chosen}) {
  const {recipe, state, startedAt, endedAt, error, stages, spent, labels} = run
  const troubled = state === 'running' || error !== undefined || stages.some(({failed}) => failed > 0)
  const seconds = startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : undefined
  const dropped = stages.reduce((sum, stage) => sum + stage.dropped, 0)
  return (
    <details class="part" open={troubled || chosen.stage !== undefined || chosen.from !== undefined}>
      <summary>
        {recipe}{' '}
        <span class="quiet">
          {state} · {count(stages.at(-1)?.written ?? 0)} written · {count(dropped)} dropped
          {seconds !== undefined && ` · ${seconds.toFixed(1)} s`}
        </span>
      </summary>
      {error && (
        <p class="trouble">
          {visible(error.message)} {visible(error.fix)}
        </p>
      )}
      <ScrollRegion label={`stages of ${recipe}`}>
        <table>
          <thead>
            <tr>
              {['stage', 'read', 'written', 'dropped', 'failed', 'reused', 'a second', 'why, and what'].map(
                (name, at) => (
                  <th key={name} class={at > 0 && at < 7 ? 'n' : ''}>
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {stages.map((stage) => (
              <StageRow
                key={stage.stage}
                run={run}
                stage={stage}
                rate={rates.get(stageKey(recipe, stage.stage)) ?? 0}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {spent && <p class="quiet">{spentText(spent)}</p>}
      {labels.some(({points}) => points.length > 1) && <LabelCurve recipe={recipe} labels={labels} />}
      <p>
        <a href={hashOf('runs', '', {run: recipe, from: 0})}>what it wrote</a>
      </p>
      {chosen.stage !== undefined && <DropsView run={recipe} stage={chosen.stage} />}
      {chosen.from !== undefined && <RecordsView run={recipe} from={Number(chosen.from)} />}
    </details>
  )
}

/** Money is known where prices are. */
function spentText({requests, cachedReplies, tokens, cost, currency}: NonNullable<RunState['spent']>): string {
  const money = currency === '' ? '' : `, ${cost.toFixed(4)} ${currency}`
  const asked = `${count(requests)} requests, ${count(cachedReplies)} from cache, ${count(tokens)} tokens`
  return `asked so far: ${asked}${money}`
}

function LabelCurve({recipe, labels}: {recipe: string; labels: RunState['labels']}) {
  const seconds = Math.max(...labels.flatMap(({points}) => points.map(([at]) => at)))
  return (
    <div>
      <CurveView title={`labels of ${recipe} over ${seconds.toFixed(0)} s`} lines={labels} />
      <p class="quiet">
        {labels.map(({name, points}) => (
          <span key={name}>
            <Badge text={name} /> {count(points.at(-1)?.[1] ?? 0)}{' '}
          </span>
        ))}
        over {seconds.toFixed(0)} s
      </p>
    </div>
  )
}

const count = (value: number) => value.toLocaleString('en')

function StageRow({run: {recipe, state}, stage, rate}: {run: RunState; stage: StageCounts; rate: number}) {
  const {stage: name, read, expected, written, dropped, failed, reused, reasons, failures, tallies} = stage
  const goesOn = state === 'running' && !stage.ended
  return (
    <tr class={failed > 0 ? 'trouble' : ''}>
      <td>{name}</td>
      <td class="n">{expected !== undefined && goesOn ? `${count(read)} of ${count(expected)}` : count(read)}</td>
      <td class="n">{count(written)}</td>
      <td class="n">
        {dropped > 0 ? <a href={hashOf('runs', '', {run: recipe, stage: name})}>{count(dropped)}</a> : count(dropped)}
      </td>
      <td class="n">{count(failed)}</td>
      <td class="n">{count(reused)}</td>
      <td class="n">{goesOn && rate > 0 ? rate.toFixed(1) : ''}</td>
      <td>
        {Object.entries({...reasons, ...failures})
          .sort(([, a], [, b]) => b - a)
          .map(([reason, many]) => `${reason} ${count(many)}`)
          .join(', ')}
        {Object.entries(tallies).map(([label, many]) => (
          <span key={label}>
            {' '}
            <Badge text={label} /> {count(many)}
          </span>
        ))}
      </td>
    </tr>
  )
}

/** Why a stage dropped records, what to do about it, and examples. */
function DropsView({run, stage}: {run: string; stage: string}) {
  const path = ['/api/runs', run, 'drops', stage]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')
  const {value, error} = useAnswer<Drops>(path)
  if (error !== undefined) return <p class="trouble">{error}</p>
  return (
    <section aria-label={`what ${stage} dropped`} class="drops">
      <h2>What {stage} dropped</h2>
      {value?.reasons.map(({reason, means, todo, count: many, examples}) => (
        <div key={reason}>
          <p>
            <b>{reason}</b> {count(many)}
          </p>
          {means && <p class="quiet">{marked(`${means} What to do: ${todo}`)}</p>}
          <ul>
            {examples.map(({id, about, detail}, at) => (
              <li key={at}>
                <RecordLink id={id} /> {visible(about)} <span class="quiet">{visible(detail.slice(0, 400))}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const RecordLink = ({id}: {id: string}) => (
  <a href={hashOf('record', id)}>
    <code>{id.slice(0, 12)}</code>
  </a>
)

/** Some of what a run wrote. */
function RecordsView({run, from}: {run: string; from: number}) {
  const {value, error} = useAnswer<Records>(`/api/runs/${encodeURIComponent(run)}/records/${from}`)
  if (error !== undefined) return <p class="trouble">{error}</p>
  const next = from + (value?.records.length ?? 0)
  return (
    <section aria-label={`what ${run} wrote`} class="drops">
      <ul>
        {value?.records.map(({id, about}, at) => (
          <li key={at}>
            <RecordLink id={id} /> {visible(about)}
          </li>
        ))}
      </ul>
      {value && next < value.count && (
        <a href={hashOf('runs', '', {run, from: next})}>
          {count(from + 1)}–{count(next)} of {count(value.count)}, further
        </a>
      )}
    </section>
  )
}
