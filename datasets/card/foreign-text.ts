/**
 * Text that came from outside, as it may stand in a page of Markdown: names of folders and revisions can hold mark-up,
 * and a reader of the page must see the name. Plain addresses stay as they are, since they are meant to be followed.
 */
export function foreignText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ').trim()
  if (/^https:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~+-]*)*$/.test(line)) return line
  const plain = line.replace(/[\\`*[\]<>|&!#~$]|(?<!\w)_|_(?!\w)/g, '\\$&')
  return plain.replace(/:(?=\/\/)/g, '\\:').replace(/\b(www)\./gi, '$1\\.')
}
