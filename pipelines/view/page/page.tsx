import {render} from 'preact'
import {useEffect} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Folder, RecordWay} from '../protocol.ts'
import {go, hashOf, useAddress, type Address} from './address.ts'
import {embedded} from './embedded.ts'
import {OverviewPage} from './overview-page.tsx'
import {RowsPage} from './rows-page.tsx'
import {RunsPage} from './runs-page.tsx'
import {ScoresPage} from './scores-page.tsx'
import {useAnswer} from './server-answers.ts'
import {useMarks} from './use-marks.ts'
import './page.css'
import {visible} from './code-lines.ts'
import {CodeView} from './code-view.tsx'
import {Part} from './part.tsx'
import {sampleOf} from './sample-of.ts'
import {SampleParts} from './sample-view.tsx'
import {TimelineView} from './timeline-view.tsx'
import {WayView} from './way-view.tsx'

/** What rows of a configuration are, for people. */
const configWords: Readonly<Record<Config, string>> = {
  sft: 'Samples',
  dpo: 'Pairs',
  apis: 'Interfaces',
  errors: 'Failures',
  kto: 'Single replies',
  optimisation: 'Faster and slower',
}

function App() {
  const address = useAddress()
  const {value: folder, error} = useAnswer<Folder>('/api/folder')
  if (error !== undefined)
    return (
      <main class="message">
        <p class="trouble">{error}</p>
        <p>Open the address that `ascend-cot view` printed: it ends with a token.</p>
      </main>
    )
  return folder ? <Opened folder={folder} address={address} /> : <main class="message" aria-busy="true" />
}

interface Place {
  title: string
  page: string
  part: string
}

function placesOf({files, hasRuns, scores}: Folder): Place[] {
  const configs = [...new Set(files.map(({config}) => config))]
  return [
    ...(hasRuns ? [{title: 'Overview', page: 'overview', part: ''}] : []),
    ...configs.map((config) => ({title: configWords[config], page: 'rows', part: config})),
    ...(scores.length > 0 ? [{title: 'Scores', page: 'scores', part: ''}] : []),
    ...(hasRuns ? [{title: 'Runs', page: 'runs', part: ''}] : []),
  ]
}

function Opened({folder, address}: {folder: Folder; address: Address}) {
  const book = useMarks(folder.files.length > 0, folder.reader)
  const places = placesOf(folder)
  const home = places.find(({page}) => page !== 'overview' || folder.opensOnOverview)
  useEffect(() => {
    document.title = `${folder.title} · ascend-cot ${embedded ? 'report' : 'view'}`
    if (address.page === '' && home) go(hashOf(home.page, home.part), {replace: true})
  }, [folder, address.page])
  return (
    <>
      <nav aria-label="parts">
        <h1>{folder.title}</h1>
        {places.map(({title, page, part}) => (
          <a
            key={title}
            href={hashOf(page, part)}
            aria-current={page === address.page && (part === '' || part === address.part) ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
        {embedded && (
          <span class="quiet">
            one sample of everything; <code>ascend-cot view</code> shows all
          </span>
        )}
      </nav>
      {address.page === 'rows' && (
        <RowsPage key={address.part} folder={folder} address={address} config={address.part as Config} book={book} />
      )}
      {address.page === 'overview' && <OverviewPage />}
      {address.page === 'runs' && <RunsPage address={address} />}
      {address.page === 'record' && <RecordPage id={address.part} />}
      {address.page === 'scores' && <ScoresPage folder={folder} address={address} />}
    </>
  )
}

const root = document.getElementById('root')
if (root) render(<App />, root)

/** A record of a run, whether or not it is in a data set. */
function RecordPage({id}: {id: string}) {
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
