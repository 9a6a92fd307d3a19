import {readFileSync} from 'node:fs'
import {html, raw, type Html} from './html.ts'

const style = readFileSync(new URL('document.css', import.meta.url), 'utf8')

/** A whole HTML file that needs no server and asks for nothing: style and script are inside, and its content policy forbids requests. */
export function htmlPage(title: string, body: readonly Html[], script = ''): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
<footer>Written by ascend-cot. A verdict holds for the executor that gave it.</footer>
${script !== '' && html`<script>${raw(script)}</script>`}
</body>
</html>
`.html
  }`
}
