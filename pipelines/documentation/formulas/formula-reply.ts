/** The LaTeX in a model's reply, or why it is missing. Prose around the tags is ignored, prose within is not. */
export function latexReply(text: string): {ok: true; latex: string} | {ok: false; reason: string} {
  const found = [...text.matchAll(/<latex>([^]*?)<\/latex>/g)].map(([, inner = '']) => inner)
  if (found.length === 0) return {ok: false, reason: text.trim() === '' ? 'reply-empty' : 'reply-without-latex'}
  if (found.length > 1) return {ok: false, reason: 'reply-with-several-formulas'}
  const latex = (found[0] as string)
    .trim()
    .replace(/^```\w*\n?([^]*?)\n?```$/, '$1')
    .replace(/^\$\$?([^]*?)\$?\$$/, '$1')
    .replace(/^\\[[(]([^]*)\\[\])]$/, '$1')
    .trim()
  if (latex === '') return {ok: false, reason: 'model-cannot-read-it'}
  return latex.length > 2000 ? {ok: false, reason: 'latex-invalid'} : {ok: true, latex}
}
