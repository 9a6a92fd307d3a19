import type {Overview, Part as PartOf, Section} from '../protocol.ts'
import {Badge} from './badge.tsx'
import {visible} from './code-lines.ts'
import {CurveView} from './curve-view.tsx'
import {Part} from './part.tsx'
import {ScrollRegion} from './scroll-region.tsx'
import {useAnswer} from './server-answers.ts'
import {TextView} from './text-view.tsx'

/** What all runs of the folder made: rows, labels, failures, training, scores. */
export function OverviewPage() {
  const {value, error} = useAnswer<Overview>('/api/overview')
  if (error !== undefined) return <main class="message trouble">{error}</main>
  if (!value) return <main class="message">Every row and run is counted …</main>
  return (
    <main class="runs">
      {value.sections.map((section) => (
        <SectionView key={section.title} section={section} />
      ))}
    </main>
  )
}

function SectionView({section: {title, parts}}: {section: Section}) {
  const beside = parts.filter(({kind}) => kind === 'bars')
  return (
    <section class="part" aria-label={title}>
      <h2>{title}</h2>
      {beside.length > 0 && (
        <div class="sides">
          {beside.map((part) => (
            <PartView key={part.title} part={part} />
          ))}
        </div>
      )}
      {parts.map((part) => part.kind !== 'bars' && <PartView key={`${part.kind} ${part.title}`} part={part} />)}
    </section>
  )
}

function PartView({part}: {part: PartOf}) {
  const {title} = part
  if (part.kind === 'text')
    return (
      <Part title={title}>
        <TextView text={part.text} />
      </Part>
    )
  return (
    <div>
      {title && <h3>{visible(title)}</h3>}
      {part.kind === 'bars' && <Bars tally={part.tally} />}
      {part.kind === 'table' && <TableView {...part} />}
      {part.kind === 'curve' && <CurveView title={title} lines={part.lines} />}
      {part.note && <p class="quiet">{visible(part.note)}</p>}
    </div>
  )
}

function Bars({tally}: Pick<Extract<PartOf, {kind: 'bars'}>, 'tally'>) {
  const most = Math.max(1, ...tally.map(([, count]) => count))
  return (
    <table class="bars">
      <tbody>
        {tally.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">
              {name.split(' · ').map((word) => (
                <Badge key={word} text={word} />
              ))}
            </th>
            <td class="n">{count.toLocaleString('en')}</td>
            <td class="track">
              <div class="fill" style={{width: `${(100 * count) / most}%`}} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function TableView({title, columns, names, rows}: Extract<PartOf, {kind: 'table'}>) {
  const kind = (at: number) => (at < names ? '' : 'n')
  return (
    <ScrollRegion label={title || columns.join(', ')}>
      <table>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={at} class={kind(at)}>
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at} class={kind(at)}>
                  {visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
