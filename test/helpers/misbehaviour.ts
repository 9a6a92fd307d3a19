import {createHash} from 'node:crypto'

/** What a request is answered with instead of a plain reply. */
export type Misbehaviour =
  | {kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown}
  /** Takes the request and never answers. */
  | {kind: 'hang'}
  /** Half a reply, then silence. */
  | {kind: 'stall'}
  /** Half a reply, then the connection breaks. */
  | {kind: 'cut'}
  /** Half a reply and `[DONE]`, then the connection breaks: llama-cpp-python, when the next request comes. */
  | {kind: 'interrupted'}
  /** Half a reply, then an orderly end. */
  | {kind: 'early-end'}
  | {kind: 'invalid-json'}
  | {kind: 'error-in-stream'; body: unknown}
  /** Comments instead of pieces for so long, then the reply. */
  | {kind: 'keep-alive'; milliseconds: number}
  | {kind: 'slow'; milliseconds: number}
  | {kind: 'no-usage'}
  | {kind: 'usage'; usage: unknown}
  /** A page, whatever was asked; status 200 unless told otherwise, without a type where that is ''. */
  | {kind: 'page'; text: string; type?: string; status?: number}
  /** Half a reply at once, then a byte every so often, without end; `from: headers`: not even the headers end. */
  | {kind: 'drip'; milliseconds: number; from?: 'headers' | 'body'}
  /** In the text of the reply, bytes instead of every `?`. */
  | {kind: 'bytes'; bytes: number[]}
  /** Another answer beside the real one, its pieces mixed with the real ones and before them. */
  | {kind: 'two-choices'; other: string}
  /** One JSON document although a stream was asked for. */
  | {kind: 'no-stream'}
  | {kind: 'words'; content: string; reasoning?: string; reasoningField?: string; finishReason?: string}

/** Faults by share, e.g. `429:0.05,stall:0.005`; which request gets which depends on its body and repeat alone. */
export function faultsByShare(
  text: string,
  seed = '',
): (request: {body: unknown; repeat: number}) => Misbehaviour | undefined {
  const shares = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [kind, share] = part.split(':')
      return {kind: kind ?? '', share: Number(share)}
    })
  return ({body, repeat}) => {
    let draw =
      createHash('sha256')
        .update(JSON.stringify([seed, repeat, body]))
        .digest()
        .readUInt32LE(0) /
      2 ** 32
    for (const {kind, share} of shares) {
      if (draw < share) return faultNamed(kind)
      draw -= share
    }
    return undefined
  }
}

function faultNamed(kind: string): Misbehaviour {
  if (/^\d+$/.test(kind))
    return {kind: 'status', status: Number(kind), headers: kind === '429' ? {'retry-after': '1'} : {}}
  if (kind === 'empty') return {kind: 'words', content: ''}
  if (kind === 'slow') return {kind: 'slow', milliseconds: 2000}
  return {kind} as Misbehaviour
}
