import {visible} from './code-lines.ts'

/** Outcomes as they are coloured: like the labels that they lead to. */
const tones: Readonly<Record<string, string>> = {
  ...{green: 'green', orange: 'orange', purple: 'purple', correct: 'green', compiled: 'green', ran: 'green'},
  ...{'compile-failed': 'purple', 'link-failed': 'purple'},
  ...{violated: 'orange', crashed: 'orange', 'timed-out': 'orange', 'launch-failed': 'orange', mismatched: 'orange'},
  ...{cheated: 'orange', sound: 'green', false: 'red', misleading: 'orange', hollow: 'grey'},
}

export const toneOf = (text: string): string | undefined => tones[text]

/** A word in a frame, with a dot in the colour of what it means. */
export function Badge({text}: {text: string}) {
  const tone = toneOf(text)
  return (
    <span class="badge">
      {tone && <span class={`dot ${tone}`} aria-hidden="true" />}
      {visible(text)}
    </span>
  )
}
