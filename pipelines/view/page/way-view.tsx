import type {RecordWay, WayStep} from '../protocol.ts'
import {visible} from './code-lines.ts'
import {useAnswer} from './server-answers.ts'

/** Where a record came from and what each stage did with it; nothing without runs. */
export function WayView({id, hasRuns}: {id: string; hasRuns: boolean}) {
  const {value, error} = useAnswer<RecordWay>(hasRuns ? `/api/records/${id}` : undefined)
  if (!hasRuns) return <p class="quiet">Open the output folder of the runs to follow a row through their stages.</p>
  if (error !== undefined) return <p class="quiet">{error}</p>
  if (!value) return <p class="quiet">Looking through the runs …</p>
  return (
    <ol class="way">
      {value.way.map((step, at) => (
        <li key={at}>
          <b>
            {step.recipe}/{step.stage}
          </b>{' '}
          <code>{step.input.slice(0, 12)}</code> {step.as && `(${step.as}) `}
          {outcomeOf(step)}
        </li>
      ))}
    </ol>
  )
}

function outcomeOf({outputs, drops, failure}: WayStep): string {
  if (failure !== undefined) return `failed: ${failure}`
  if (outputs.length > 0) return `→ ${outputs.map((id) => id.slice(0, 12)).join(' ')}`
  return `dropped: ${drops.map(({reason, detail}) => visible(`${reason} ${detail}`.trim())).join('; ')}`
}
