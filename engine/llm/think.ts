const open = '<think>'
const close = '</think>'

/**
 * Separates what a model thought from what it answered. Sources, in order: a separate reasoning field; a leading
 * `<think>` block; a lone `</think>`, which is what remains when the chat template itself opened the block. A block
 * that never closes was cut off in thought: then all of it is reasoning and the text is ''.
 */
export function partReasoning(content: string, reasoningField: string): {text: string; reasoning: string} {
  if (reasoningField.trim() !== '') {
    const text = content.trimStart().startsWith(open) ? splitLeadingBlock(content).text : content
    return {text: text.trim(), reasoning: reasoningField.trim()}
  }
  return splitLeadingBlock(content)
}

function splitLeadingBlock(content: string): {text: string; reasoning: string} {
  const trimmed = content.trimStart()
  if (trimmed.startsWith(open)) {
    const end = endOfBlock(trimmed)
    if (end === undefined) return {text: '', reasoning: trimmed.slice(open.length).trim()}
    return {text: trimmed.slice(end).trim(), reasoning: trimmed.slice(open.length, end - close.length).trim()}
  }
  const end = trimmed.indexOf(close)
  const opened = trimmed.indexOf(open)
  if (end === -1 || (opened !== -1 && opened < end)) return {text: trimmed.trim(), reasoning: ''}
  return {text: trimmed.slice(end + close.length).trim(), reasoning: trimmed.slice(0, end).trim()}
}

/**
 * Index after the tag that closes the first block; blocks may nest. Where they do not balance, the last closing tag
 * counts.
 */
function endOfBlock(text: string): number | undefined {
  let depth = 0
  let lastClose: number | undefined
  for (const {0: tag, index} of text.matchAll(/<\/?think>/g)) {
    depth += tag === open ? 1 : -1
    if (tag === close) lastClose = index + close.length
    if (depth === 0) return lastClose
  }
  return lastClose
}
