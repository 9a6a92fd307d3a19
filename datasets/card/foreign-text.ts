/**
 * Escapes outside text for a Markdown page: names of folders and revisions may contain mark-up, and the page must show
 * the name. Plain addresses are unchanged, so that they remain links.
 */
export function foreignText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ').trim()
  if (/^https:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~+-]*)*$/.test(line)) return line
  const plain = line.replace(/[\\`*[\]<>|&!#~$]|(?<!\w)_|_(?!\w)/g, '\\$&')
  return plain.replace(/:(?=\/\/)/g, '\\:').replace(/\b(www)\./gi, '$1\\.')
}
