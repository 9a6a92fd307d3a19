import {isTwo} from '../../../cpp/kernel-forms.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'
import {everywhere, type Edit, type Step} from './step.ts'

/** Queues of a position by the name that they are declared with. */
function queuesAt(source: SourceView, position: 'VECIN' | 'VECOUT'): ReadonlySet<string> {
  return new Set(foundIn(source, pattern(`TQue<$$_::${position}, $$_> $name;`)).map(({hole}) => hole('name')))
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
