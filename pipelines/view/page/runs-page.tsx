import {clock, counted} from '../../../engine/counted.ts'
import type {Workforce} from '../../../engine/elsewhere/worker-seen.ts'
import {waitingText} from '../../../engine/elsewhere/workforce.ts'
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
/** Drops are read from the ledger, which takes longer. */
const everyDrops = 4

/** Runs as they stand, followed while they go on: stages, rates, drops and labels. */
export function RunsPage({address: {params}}: {address: Address}) {
  const {value, error} = useAnswer<Runs>('/api/runs', every)
  if (error !== undefined) return <main class="message trouble">{error}</main>
  if (!value) return <main class="message" aria-busy="true" />
  if (value.runs.length === 0) return <main class="message">No run has started here yet; this page waits for one.</main>
  return (
    <main class="runs">
      {value.runs.map((run) => (
        <RunView key={run.recipe} run={run} chosen={chosenOf(params, run)} />
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

function RunView({run, chosen}: {run: RunState; chosen: Chosen}) {
  const {recipe, state, startedAt, endedAt, error, stages, spent, labels} = run
  const troubled = state !== 'finished' || stages.some(({failed}) => failed > 0)
  const dropped = stages.reduce((sum, stage) => sum + stage.dropped, 0)
  return (
    <details class="part" open={troubled || chosen.stage !== undefined || chosen.from !== undefined}>
      <summary>
        {recipe}{' '}
        <span class="quiet">
          {state} · {count(stages.at(-1)?.written ?? 0)} written · {count(dropped)} dropped
          {startedAt && timeText(startedAt, endedAt, state)}
        </span>
      </summary>
      {state === 'interrupted' && (
        <p class="trouble">
          Its process ended before it did. <code>ascend-cot resume</code> goes on with it; what is done stays done.
        </p>
      )}
      {error && (
        <p class="trouble">
          {visible(error.message)} {visible(error.fix)}
        </p>
      )}
      <ScrollRegion label={`stages of ${recipe}`}>
        <table>
          <thead>
            <tr>
              {columnsOf(state).map((name, at, all) => (
                <th key={name} class={at > 0 && at < all.length - 1 ? 'n' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stages.map((stage, at) => (
              <StageRow key={stage.stage} run={run} at={at} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {stages.map(({stage, workforce}) => workforce && <WorkersView key={stage} {...{recipe, stage, workforce}} />)}
      {spent && <p class="quiet">{spentText(spent)}</p>}
      {labels.some(({points}) => points.length > 1) && <LabelCurve recipe={recipe} labels={labels} />}
      <p>
        <a href={hashOf('runs', '', {run: recipe, from: 0})}>what it wrote</a>
      </p>
      {chosen.stage !== undefined && <DropsView run={recipe} stage={chosen.stage} goesOn={state === 'running'} />}
      {chosen.from !== undefined && <RecordsView run={recipe} from={Number(chosen.from)} />}
    </details>
  )
}

const columnsOf = (state: RunState['state']) => {
  const going = state === 'running' ? ['pace', 'time left'] : []
  return ['stage', 'read', 'written', 'dropped', 'failed', 'reused', ...going, 'why, and what']
}

/** Who works on a stage on other machines, as the run saw them last. */
function WorkersView({recipe, stage, workforce}: {recipe: string; stage: string; workforce: Workforce}) {
  const {working, workers} = workforce
  return (
    <ScrollRegion label={`workers of ${stage} of ${recipe}`}>
      <table>
        <thead>
          <tr>
            <th>workers of {stage}</th>
            <th>has</th>
            <th class="n">records</th>
            <th class="n">a second</th>
            <th class="n">seen</th>
            <th>holds</th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({id, by, capability, records, rate, silentSeconds, holds}) => (
            <tr key={id}>
              <td>{visible(by)}</td>
              <td>{visible(capability)}</td>
              <td class="n">{count(records)}</td>
              <td class="n">{rate}</td>
              <td class="n">{silentSeconds} s ago</td>
              <td>{visible(holds) || 'nothing'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {waitingText(workforce)}, {count(working)} worked on
      </p>
    </ScrollRegion>
  )
}

/** Its process is on the machine of this page, and has its clock. */
const secondsSince = (start: string) => (Date.now() - Date.parse(start)) / 1000

const paceText = (perSecond: number) =>
  perSecond >= 1 ? `${perSecond.toFixed(1)} a second` : `${(60 * perSecond).toFixed(1)} a minute`

/** How long it took, or has gone on. */
function timeText(startedAt: string, endedAt: string | undefined, state: RunState['state']): string {
  if (endedAt) return ` · ${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`
  return state === 'running' ? ` · ${clock(secondsSince(startedAt))}` : ''
}

/** Money is known where prices are. */
function spentText({requests, cachedReplies, tokens, cost, currency}: NonNullable<RunState['spent']>): string {
  const money = currency === '' ? '' : `, ${cost.toFixed(4)} ${currency}`
  const asked = `${counted(requests, 'request')}, ${count(cachedReplies)} from cache, ${counted(tokens, 'token')}`
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

function StageRow({run: {recipe, state, stages, totals, startedAt}, at}: {run: RunState; at: number}) {
  const stage = stages[at] as StageCounts
  const {stage: name, read, written, dropped, failed, reused, reasons, failures, tallies} = stage
  const goesOn = state === 'running' && !stage.ended
  const total = goesOn ? totals[at] : null
  const about = stages[at - 1]?.ended ? '' : 'about '
  // What was done before comes at once, and says nothing of the pace.
  const rate = goesOn && startedAt ? (read - reused) / secondsSince(startedAt) : 0
  return (
    <tr class={failed > 0 ? 'trouble' : ''}>
      <td>{name}</td>
      <td class="n">{total ? `${count(read)} of ${about}${count(total)}` : count(read)}</td>
      <td class="n">{count(written)}</td>
      <td class="n">
        {dropped > 0 ? <a href={hashOf('runs', '', {run: recipe, stage: name})}>{count(dropped)}</a> : count(dropped)}
      </td>
      <td class="n">{count(failed)}</td>
      <td class="n">{count(reused)}</td>
      {state === 'running' && (
        <>
          <td class="n">{rate > 0 && paceText(rate)}</td>
          <td class="n">{total && rate > 0 && total > read && clock((total - read) / rate)}</td>
        </>
      )}
      <td class="why">
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
function DropsView({run, stage, goesOn}: {run: string; stage: string; goesOn: boolean}) {
  const path = ['/api/runs', run, 'drops', stage]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')
  const {value, error} = useAnswer<Drops>(path, goesOn ? everyDrops : undefined)
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
