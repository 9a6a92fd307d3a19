import {createHash} from 'node:crypto'

/** Whether a text comes for the first time; 22 characters of each are remembered. */
export function distinct(): (text: string) => boolean {
  const seen = new Set<string>()
  return (text) => seen.size < seen.add(createHash('sha256').update(text).digest('base64').slice(0, 22)).size
}
