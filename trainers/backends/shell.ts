import type {Word} from '../engines/engine.ts'

/** A text quoted as one shell word. */
export function quoted(text: string): string {
  if (text.includes('\0')) throw new TypeError('an argument contains a NUL byte')
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const variables = {'node-rank': 'NODE_RANK', 'master-address': 'MASTER_ADDR', 'master-port': 'MASTER_PORT'} as const

/** A word of a step; values that only the machine knows are variables set by the job's script. */
export function shellWord(word: Word): string {
  return typeof word === 'string' ? quoted(word) : `"$${variables[word.rendezvous]}"`
}
