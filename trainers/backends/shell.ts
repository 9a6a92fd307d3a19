import type {Word} from '../engines/engine.ts'

/** A text as one word of a shell, whatever it holds. */
export function quoted(text: string): string {
  if (text.includes('\0')) throw new TypeError('a word of a command line holds a NUL byte')
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const variables = {'node-rank': 'NODE_RANK', 'master-address': 'MASTER_ADDR', 'master-port': 'MASTER_PORT'} as const

/** A word of a step; what only the machine knows is a variable that the job's script has set. */
export function shellWord(word: Word): string {
  return typeof word === 'string' ? quoted(word) : `"$${variables[word.rendezvous]}"`
}
