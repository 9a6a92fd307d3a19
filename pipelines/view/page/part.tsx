import type {ComponentChildren} from 'preact'
import {useState} from 'preact/hooks'

/** A part that opens and closes; what is closed is not drawn. */
export function Part({title, open = false, children}: {title: string; open?: boolean; children: ComponentChildren}) {
  const [shown, setShown] = useState(open)
  return (
    <details class="part" open={shown} onToggle={({currentTarget}) => setShown(currentTarget.open)}>
      <summary>{title}</summary>
      {shown && children}
    </details>
  )
}
