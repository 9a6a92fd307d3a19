import {labels} from '../../datasets/schema/label.ts'
import {html, raw, type Html} from './markup.ts'

const known: ReadonlySet<string> = new Set(labels)

/** Classes of a label: its name, and `label`, which takes its colour. */
const labelClass = (text: string) => (known.has(text) ? `label ${text}` : '')

/** A bar for each entry, scaled to the longest. Bars of labels have the labels' own colours. */
export function bars(tally: readonly (readonly [string, number])[]): Html {
  const most = Math.max(1, ...tally.map(([, count]) => count))
  const bar = ([name, count]: readonly [string, number]) => {
    const width = `width:${((100 * count) / most).toFixed(1)}%`
    const fill = html`<div class="track"><div class="fill ${labelClass(name)}" style="${width}"></div></div>`
    return html`<span>${withBadges(name)}</span>${fill}<span class="n">${number(count)}</span>`
  }
  return html`<div class="bars">${tally.map(bar)}</div>`
}

/** `one · two`, with labels as badges. */
function withBadges(name: string): (Html | string)[] {
  const parts = name.split(' · ').map((part) => (known.has(part) ? badge(part) : part))
  return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))
}

export function badge(text: string): Html {
  return html`<span class="badge ${labelClass(text)}">${text}</span>`
}

export function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')
}

/** A cell of text, or a right-aligned number; zero is shown as a faint dash so that other values stand out. */
export function cell(value: string | number): Html {
  if (typeof value === 'string') return html`<td class="wide">${value}</td>`
  return html`<td class="n">${value === 0 ? raw('<span class="quiet">–</span>') : number(value)}</td>`
}
