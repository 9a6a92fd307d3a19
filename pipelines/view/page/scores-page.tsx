import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {Attempt, AttemptDetail, Folder, ScoreBoard} from '../protocol.ts'
import {go, withParams, type Address} from './address.ts'
import {Badge} from './badge.tsx'
import {visible} from './code-lines.ts'
import {CodeView} from './code-view.tsx'
import {embedded} from './embedded.ts'
import {Part} from './part.tsx'
import {ScrollRegion} from './scroll-region.tsx'
import {useAnswer} from './server-answers.ts'
import {TextView} from './text-view.tsx'
import {TimelineView} from './timeline-view.tsx'
import {useKeys} from './use-keys.ts'
import {notesOf, VerdictView} from './verdict-view.tsx'

/** Tasks and the verdicts on their candidates, of one run or of two beside each other; and one candidate. */
export function ScoresPage({folder: {scores}, address}: {folder: Folder; address: Address}) {
  const {params} = address
  const first = params.get('a') ?? scores[0] ?? ''
  const second = params.get('b') ?? ''
  const [a, b] = [useBoard(first), useBoard(second)]
  const opened = [params.get('of'), params.get('n')] as const
  const close = () => go(withParams(address, {of: undefined, n: undefined}))
  useKeys({Escape: close})
  const choose = (name: 'a' | 'b', value: string) =>
    go(withParams(address, {[name]: value, of: undefined, n: undefined}))
  return (
    <main class={opened[0] === null ? 'scores' : 'scores open'}>
      <section aria-label="tasks and verdicts" class="grid">
        <p class="fields">
          <Choice title="score" value={first} names={scores} onChoose={(name) => choose('a', name)} />
          <Choice title="beside" value={second} names={['', ...scores]} onChoose={(name) => choose('b', name)} />
        </p>
        {[a, b].map((board) => board.error !== undefined && <p class="trouble">{board.error}</p>)}
        <Grid boards={[a.value, b.value].filter((one) => one !== undefined)} address={address} />
      </section>
      {opened[0] !== null && <AttemptView score={opened[0]} number={Number(opened[1])} onClose={close} />}
    </main>
  )
}

const pathOf = (name: string) => `/api/scores/${encodeURIComponent(name)}`

const useBoard = (name: string) => useAnswer<ScoreBoard>(name === '' ? undefined : pathOf(name))

interface Choosing {
  title: string
  value: string
  names: readonly string[]
  onChoose(name: string): void
}

function Choice({title, value, names, onChoose}: Choosing) {
  return (
    <label>
      {title}{' '}
      <select value={value} onChange={({currentTarget}) => onChoose(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name.replace(/^score-/, '') || 'nothing'}
          </option>
        ))}
      </select>
    </label>
  )
}

function Grid({boards, address}: {boards: readonly ScoreBoard[]; address: Address}) {
  const tasks = [...new Set(boards.flatMap(({attempts}) => attempts.map(({task}) => task)))]
  return (
    <ScrollRegion label="verdicts by task">
      <table>
        <thead>
          <tr>
            <th>task</th>
            {boards.map((board) => (
              <th key={board.name}>
                {board.title} <Summary attempts={board.attempts} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr key={task}>
              <th scope="row">{visible(task)}</th>
              {boards.map((board) => (
                <td key={board.name}>
                  {board.attempts.map(
                    (one, at) => one.task === task && <Verdicts key={at} {...{board, one, at, address}} />,
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Summary({attempts}: {attempts: readonly Attempt[]}) {
  const correct = attempts.filter(({outcome}) => outcome === 'correct').length
  return (
    <span class="quiet">
      {correct} of {attempts.length} correct
    </span>
  )
}

interface OneVerdict {
  board: ScoreBoard
  one: Attempt
  at: number
  address: Address
}

function Verdicts({board: {name}, one: {outcome, attempt, why}, at, address}: OneVerdict) {
  const isOpen = address.params.get('of') === name && address.params.get('n') === String(at)
  return (
    <a
      class="verdict-link"
      href={withParams(address, {of: name, n: at})}
      title={visible(`${attempt} ${why}`.trim()) || undefined}
      aria-current={isOpen ? 'true' : undefined}
    >
      <Badge text={outcome} />
      {attempt !== '' && <span class="quiet"> {attempt}</span>}
    </a>
  )
}

function AttemptView({score, number, onClose}: {score: string; number: number; onClose(): void}) {
  const {value, error} = useAnswer<AttemptDetail>(`${pathOf(score)}/attempts/${number}`)
  const verdict = (value?.verdict ?? null) as Verdict | null
  return (
    <article class="sample" aria-label="candidate">
      <button type="button" class="back always" onClick={onClose}>
        ← close
      </button>
      {error !== undefined && <p class="trouble">{error}</p>}
      {value && (
        <>
          <p class="badges">
            <Badge text={value.outcome} />
            <Badge text={value.category} />
          </p>
          <h2>{visible(value.task)}</h2>
          <p class="quiet">
            {score.replace(/^score-/, '')} {value.attempt}
          </p>
          {verdict ? (
            <VerdictView verdict={verdict} paths={value.files.map(({path}) => path)} />
          ) : (
            <p class="said">{visible(value.why)}</p>
          )}
          {!embedded && (
            <Part title="Timeline, modelled">
              <TimelineView of={`scores/${encodeURIComponent(score)}/${number}`} />
            </Part>
          )}
          {value.reasoning !== '' && <TextView text={value.reasoning} />}
          {value.files.map(({path, text}) => (
            <CodeView key={path} title={path} code={text} language={languageOf(path)} notes={notesOf(verdict, path)} />
          ))}
          {value.prompt !== '' && (
            <details class="part">
              <summary>Prompt</summary>
              <TextView text={value.prompt} />
            </details>
          )}
        </>
      )}
    </article>
  )
}

const languageOf = (path: string) => (/\.(?:py|json)$/.test(path) ? path.replace(/^.*\./, '') : 'cpp')
