import {html, raw, type Html} from './html.ts'

const colours = new Set(['green', 'orange', 'purple'])

/** A bar for each entry, scaled to the longest. Colours of labels are the labels' own. */
export function bars(tally: readonly (readonly [string, number])[]): Html {
  const most = Math.max(1, ...tally.map(([, count]) => count))
  return html`<div class="bars">${tally.map(
    ([name, count]) =>
      html`<span>${name
        .split(' · ')
        .map((part) => (colours.has(part) ? badge(part) : part))
        .flatMap((part, index) =>
          index === 0 ? [part] : [' · ', part],
        )}</span><div class="track"><div class="fill ${colours.has(name) ? name : ''}" style="width:${((100 * count) / most).toFixed(1)}%"></div></div><span class="n">${number(count)}</span>`,
  )}</div>`
}

export function badge(text: string): Html {
  return html`<span class="badge ${colours.has(text) ? text : ''}">${text}</span>`
}

export function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')
}

/** A cell of text, or a right-aligned number; zero is shown as a faint dash so that what happened stands out. */
export function cell(value: string | number): Html {
  if (typeof value === 'string') return html`<td class="wide">${value}</td>`
  return html`<td class="n">${value === 0 ? raw('<span class="quiet">–</span>') : number(value)}</td>`
}
