import {readFileSync} from 'node:fs'
import {labels, meaningOf} from '../../datasets/schema/label.ts'
import {html, raw, type Html} from './markup.ts'

const style = [readFileSync(new URL('document.css', import.meta.url), 'utf8'), labelStyle()].join('\n')

/** Each label has its own colour. */
function labelStyle(): string {
  const rules = (ground: 0 | 1) =>
    labels.map((label) => `.label.${label} { --tone: ${meaningOf(label).tones[ground]}; }`).join(' ')
  return `${rules(0)}\n@media (prefers-color-scheme: dark) { ${rules(1)} }\n`
}

/** Nothing external is loaded; only the page's own style and script are used. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A whole HTML file that needs no server: its style is inside, and its content policy forbids requests. */
export function htmlPage(title: string, body: readonly Html[]): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(contentPolicy)}">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
<footer>Written by ascend-cot. A verdict applies to the executor that gave it.</footer>

</body>
</html>
`.html
  }`
}
