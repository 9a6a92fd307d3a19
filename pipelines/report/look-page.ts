import {timelinePicture} from '../../datasets/card/timeline-picture.ts'
import {htmlPage} from '../../eval/scores/document.ts'
import {html, raw, type Html} from '../../eval/scores/markup.ts'
import type {Look} from '../workspace/look-at-program.ts'
import type {Told} from '../workspace/told-look.ts'

/** A look at a program as one HTML file, with everything that was made of it. */
export function lookPage(look: Look, told: readonly Told[]): string {
  const {name, program, files = [], timeline} = look
  const wrong = told.filter(({isRight}) => !isRight).map(({part}) => part)
  return htmlPage(name, [
    html`<header><h1>${name}</h1>
<p>${wrong.length === 0 ? 'Nothing wrong is known.' : `Wrong: ${wrong.join(', ')}.`}</p></header>`,
    ...told.map(partOf),
    ...(timeline && !('why' in timeline) ? [html`${raw(timelinePicture([{title: name, ...timeline}]))}`] : []),
    codeOf('The program', numbered(program), true),
    ...files.map(({path, text}) => codeOf(path, numbered(text), false)),
  ])
}

function partOf({part, isRight, lines}: Told): Html {
  // The picture shows what the lanes of a terminal do.
  const shown = lines.filter((line) => !/[░▒▓█]/.test(line))
  return html`<section id="${part}">
<h2>${part}${!isRight && ': wrong'}</h2>
<pre${!isRight && raw(' class="said"')}>${shown.join('\n')}</pre>
</section>
`
}

function codeOf(title: string, text: string, isOpen: boolean): Html {
  return html`<details${isOpen && raw(' open')}><summary>${title}</summary><pre><code>${text}</code></pre></details>
`
}

function numbered(text: string): string {
  const lines = text.trimEnd().split('\n')
  const wide = String(lines.length).length
  return lines.map((line, at) => `${String(at + 1).padStart(wide)}  ${line}`).join('\n')
}
