import {deflateRawSync, inflateRawSync} from 'node:zlib'

/**
 * A text as it is stored: in full, or only what lies between the beginning and the end that it shares with its base.
 */
export interface Packed {
  /**
   * UTF-16 code units that the text shares with its base at the start and at the end. Absent: the text needs no base.
   */
  shared?: {head: number; tail: number}
  /** The rest: as it is when a string, deflated with the base as dictionary when bytes. */
  rest: string | Buffer
}

/** Shorter texts are kept as they are: deflating would cost more time than it saves space. */
const shortest = 200

/** Deflate sees no further back. */
const window = 32_768

/**
 * Compresses a text. A stage mostly yields its input, or a part of it, with a little added: with the input as base,
 * such a record takes a tenth of the space it takes alone.
 */
export function pack(text: string, base?: string): Packed {
  if (text.length < shortest) return {rest: text}
  if (base === undefined) return {rest: deflated(text, undefined)}
  const head = sharedHead(text, base)
  const tail = sharedTail(text, base, head)
  return {shared: {head, tail}, rest: deflated(text.slice(head, text.length - tail), base)}
}

/** The text that `pack` was given, from its result and the same base. */
export function unpack({shared, rest}: Packed, base?: string): string {
  if (shared && base === undefined) throw new TypeError('unpack: this text was packed against a base')
  const dictionary = shared ? dictionaryOf(base as string) : undefined
  const text = typeof rest === 'string' ? rest : inflateRawSync(rest, dictionary && {dictionary}).toString('utf8')
  if (!shared) return text
  return (base as string).slice(0, shared.head) + text + (base as string).slice((base as string).length - shared.tail)
}

function deflated(text: string, base: string | undefined): string | Buffer {
  if (text.length < shortest) return text
  const dictionary = base === undefined || base === '' ? undefined : dictionaryOf(base)
  return deflateRawSync(text, {level: 1, ...(dictionary && {dictionary})})
}

/** The last 32,768 bytes; a character cut in half at the front does not harm a dictionary. */
function dictionaryOf(base: string): Buffer {
  return Buffer.from(base.slice(-window), 'utf8').subarray(-window)
}

function sharedHead(text: string, base: string): number {
  const most = Math.min(text.length, base.length)
  let head = 0
  while (head < most && text.charCodeAt(head) === base.charCodeAt(head)) head += 1
  return head > 0 && splitsPair(text, head) ? head - 1 : head
}

function sharedTail(text: string, base: string, head: number): number {
  const most = Math.min(text.length, base.length) - head
  let tail = 0
  while (tail < most && text.charCodeAt(text.length - 1 - tail) === base.charCodeAt(base.length - 1 - tail)) tail += 1
  return tail > 0 && splitsPair(text, text.length - tail) ? tail - 1 : tail
}

/** Whether a cut here would leave half a character on either side, which UTF-8 cannot hold. */
function splitsPair(text: string, at: number): boolean {
  return isSurrogate(text.charCodeAt(at - 1), 0xd800) && isSurrogate(text.charCodeAt(at), 0xdc00)
}

const isSurrogate = (unit: number, first: number) => unit >= first && unit < first + 0x400
