import {useState} from 'preact/hooks'
import type {Timelines} from '../protocol.ts'
import {visible} from './code-lines.ts'
import {canAnswer, useAnswer} from './server-answers.ts'

const pathOf = (of: string, core: number) => `/api/timelines/${of}/${core}`

export const hasTimeline = (of: string) => canAnswer(pathOf(of, 0))

/**
 * When the pipes of a kernel work and wait, modelled: drawn when it is opened, since the code is run for it.
 * @param of a path below `/api/timelines`
 */
export function TimelineView({of}: {of: string}) {
  const [core, setCore] = useState(0)
  const {value, error} = useAnswer<Timelines>(pathOf(of, core))
  if (error !== undefined) return <p class="quiet">{error}</p>
  if (!value) return <p class="quiet">The code is built and run on the twin …</p>
  const cores = Math.max(0, ...value.kernels.map((one) => ('cores' in one ? one.cores : 0)))
  return (
    <>
      {cores > 1 && canAnswer(pathOf(of, 1)) && <CoreChoice cores={cores} core={core} onChoose={setCore} />}
      <div class={value.kernels.length > 1 ? 'sides' : ''}>
        {value.kernels.map((one) => (
          <KernelView key={one.title} one={one} />
        ))}
      </div>
    </>
  )
}

/** SVG as an image: a script in it would not run. */
function KernelView({one}: {one: Timelines['kernels'][number]}) {
  if ('why' in one) {
    return (
      <p class="quiet">
        {one.title && <b>{visible(one.title)}: </b>}
        {visible(one.why)}
      </p>
    )
  }
  const title = `Modelled timeline: ${one.title}, core ${one.core} of ${one.cores}`
  return (
    <figure class="timeline">
      <img class="picture" alt={visible(title)} src={`data:image/svg+xml;utf8,${encodeURIComponent(one.svg)}`} />
    </figure>
  )
}

function CoreChoice({cores, core, onChoose}: {cores: number; core: number; onChoose(core: number): void}) {
  return (
    <label class="quiet">
      core{' '}
      <select value={core} onChange={({currentTarget}) => onChoose(Number(currentTarget.value))}>
        <option value={0}>the slowest</option>
        {Array.from({length: cores}, (_, at) => (
          <option key={at} value={at + 1}>
            {at + 1}
          </option>
        ))}
      </select>
    </label>
  )
}
