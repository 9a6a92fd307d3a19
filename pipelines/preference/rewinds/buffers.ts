import type {SourceView} from '../mutations/source.ts'
import {everywhere, type Edit, type Step} from './step.ts'

/** Queues of a position by the name that they are declared with. */
function queuesAt({code}: SourceView, position: 'VECIN' | 'VECOUT'): ReadonlySet<string> {
  const declaration = new RegExp(String.raw`\bTQue\s*<[^<>;]*\b${position}\s*,[^<>;]*>\s*(\w+)\s*;`, 'g')
  return new Set([...code.matchAll(declaration)].map(([, name]) => name as string))
}

/** Whether an argument is 2, or the name of a constant of the file that is. */
function isTwo({code}: SourceView, argument: string): boolean {
  if (!/^\w+$/.test(argument)) return false
  const constant = new RegExp(String.raw`\bconst(?:expr)?\s+(?:static\s+)?u?int\w*\s+${argument}\s*=\s*2\s*;`)
  return argument === '2' || constant.test(code)
}

function singleBlocks(source: SourceView, position: 'VECIN' | 'VECOUT'): Edit[] {
  const queues = queuesAt(source, position)
  return source.calls
    .filter(({name, args}) => name === 'InitBuffer' && args.length === 3 && queues.has(args[0]?.text ?? ''))
    .flatMap(({args: [, blocks]}) =>
      blocks && isTwo(source, blocks.text) ? [{start: blocks.start, end: blocks.end, replacement: '1'}] : [],
    )
}

/** No double buffering: a tile is copied in when the one before it was computed. */
const singleBufferIn = everywhere('single-buffer-in', 'op_kernel', (source) => singleBlocks(source, 'VECIN'))

/** A tile is computed when the one before it was copied out. */
const singleBufferOut = everywhere('single-buffer-out', 'op_kernel', (source) => singleBlocks(source, 'VECOUT'))

export const bufferSteps: readonly Step[] = [singleBufferIn, singleBufferOut]
