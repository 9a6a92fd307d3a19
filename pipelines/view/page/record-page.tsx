import type {RecordWay} from '../protocol.ts'
import {visible} from './code-lines.ts'
import {CodeView} from './code-view.tsx'
import {Part} from './part.tsx'
import {sampleOf} from './sample-of.ts'
import {SampleParts} from './sample-view.tsx'
import {useAnswer} from './server-answers.ts'
import {TimelineView} from './timeline-view.tsx'
import {WayView} from './way-view.tsx'

/** A record of a run, whether or not it is in a data set. */
export function RecordPage({id}: {id: string}) {
  const {value, error} = useAnswer<RecordWay>(`/api/records/${encodeURIComponent(id)}`)
  if (error !== undefined) return <main class="message trouble">{error}</main>
  if (!value) return <main class="message" aria-busy="true" />
  const {row, record} = value
  const sample = row && sampleOf(row.config, row.cells)
  return (
    <main class="sample" aria-label="record">
      <button type="button" class="back always" onClick={() => history.back()}>
        ← back
      </button>
      <h2>{sample ? visible(sample.source) : 'record'}</h2>
      <p class="quiet">
        <code>{value.id}</code>
      </p>
      {sample ? (
        <SampleParts sample={sample} hasRuns />
      ) : (
        <>
          <Part title="Timeline, modelled">
            <TimelineView of={`records/${value.id}`} />
          </Part>
          <CodeView code={JSON.stringify(record, null, 2)} language="json" />
          <WayView id={value.id} hasRuns />
        </>
      )}
    </main>
  )
}
