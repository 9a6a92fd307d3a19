import {code} from '../../../datasets/voice.ts'
import type {Change} from '../code-changes.ts'

/** What a changed line does in an operator: why the failed code went wrong without it, or with it. */
interface Meaning {
  /** In a line that only one side has, or that differs. */
  pattern: RegExp
  /** The line is missing in the failed code. */
  missing?: string | undefined
  /** The failed code has it and should not. */
  extra?: string | undefined
  /** Both have it, written differently. */
  differs?: string | undefined
}

// English, as the evidence is. The first that fits is told.
const meanings: readonly Meaning[] = [
  {
    pattern: /\bSaveToBuffer\s*\(/,
    missing:
      'Only SaveToBuffer writes the tiling into the bytes that the kernel reads: without it nobody has set them.',
  },
  {
    pattern: /\bGET_TILING_DATA\w*\s*\(/,
    missing: 'The kernel gets the tiling as bytes; GET_TILING_DATA makes the structure of them that it uses.',
  },
  {
    pattern: /\bset_\w+\s*\(/,
    missing: 'The kernel works by this field of the tiling data, and the host never sets it.',
    differs: 'The kernel works by this field of the tiling data, so a wrong value there is wrong everywhere.',
  },
  {
    pattern: /\bSetBlockDim\s*\(/,
    missing: 'The host decides with SetBlockDim how many cores are launched.',
    differs: 'The number of cores and the share that each takes have to agree, or a part of the work is left out.',
  },
  {
    pattern: /\bGetBlockIdx\s*\(/,
    differs: 'GetBlockIdx tells a core which share is its own; without it every core works on the same one.',
  },
  {
    pattern: /\bEnQue\s*\(/,
    missing: 'A queue hands a tensor on with EnQue; the DeQue of the next step has nothing to take without it.',
    extra: 'Each EnQue is taken by one DeQue, and comes when the tensor is complete.',
    differs: 'A tensor goes back into the queue that it was allocated from, and each EnQue meets one DeQue.',
  },
  {
    pattern: /\bDeQue\b/,
    missing: 'DeQue waits for the step before and takes its tensor; without it the next step reads what is not there.',
    extra: 'DeQue takes what an EnQue has put in; there is nothing to take here.',
    differs: 'DeQue waits for a tensor of the step before, AllocTensor gives a free one: each has its place.',
  },
  {
    pattern: /\bFreeTensor\s*\(/,
    missing: 'A tensor that is not given back keeps its buffer, and the queue has none left for the next tile.',
    extra: 'After FreeTensor the buffer belongs to the queue again, and nothing may use it or give it back once more.',
    differs: 'A tensor is given back to its own queue, when the last step has used it.',
  },
  {
    pattern: /\bAllocTensor\b/,
    missing: 'A step writes into a buffer that AllocTensor has taken from the queue.',
    extra: 'Each AllocTensor needs its FreeTensor; one more takes a buffer that nobody gives back.',
    differs: 'The buffer comes from the queue that the next step takes it from, with the element type of the data.',
  },
  {
    pattern: /\bInitBuffer\s*\(/,
    missing: 'A queue or buffer has no memory before InitBuffer gives it some.',
    differs:
      'InitBuffer decides how many bytes there are: a step must not pass their end, and UB has to hold them all.',
  },
  {
    pattern: /\bSetFlag\s*</,
    missing: 'Pipes run side by side; WaitFlag waits for a SetFlag of the same event, which is not there.',
    extra: 'Each SetFlag is met by one WaitFlag.',
    differs: 'SetFlag and WaitFlag of a pair name the same direction and the same event.',
  },
  {
    pattern: /\bWaitFlag\s*</,
    missing: 'Pipes run side by side; without WaitFlag one reads what another has not finished.',
    extra: 'WaitFlag waits for a SetFlag of its own; there is none here.',
    differs: 'SetFlag and WaitFlag of a pair name the same direction and the same event.',
  },
  {
    pattern: /\bPipeBarrier\b/,
    missing: 'Without the barrier the next instruction of the pipe may start before the one before has finished.',
  },
  {
    pattern: /\bDataCopyExtParams\b|\bDataCopyParams\b/,
    differs: 'blockLen counts bytes in DataCopyExtParams and blocks of 32 bytes in DataCopyParams.',
  },
  {
    pattern: /\bDataCopy(?:Pad)?\s*\(/,
    missing: 'Data that is never copied is not where the next step looks for it.',
  },
  {
    pattern: /\bSetGlobalBuffer\s*\(/,
    missing: 'A GlobalTensor has no address before SetGlobalBuffer.',
    differs: "Where SetGlobalBuffer begins, the core's share begins.",
  },
  {
    pattern: /\bfor\s*\(/,
    differs:
      'The bounds of this loop decide what is worked on: one step less leaves a part out, one more passes the end.',
  },
  {
    pattern: /\bDuplicate\s*(?:<[^;()]*>)?\s*\(/,
    missing: 'Without Duplicate the buffer holds what was there before.',
  },
  {
    pattern: /\?.*:|\bmin\s*\(|[tT]ail|[rR]est\b|[rR]emain/,
    differs: 'The last tile or the last core is shorter than the others; here its length is decided.',
  },
]

/** Undefined where the lines say nothing by themselves. */
export function meaningOf({removed, added}: Change): string | undefined {
  const [before, after] = [removed.join('\n'), added.join('\n')]
  for (const {pattern, missing, extra, differs} of meanings) {
    const told = said(pattern.test(before), pattern.test(after), {missing, extra, differs})
    if (told !== undefined) return told
  }
  return onOperation(before, after)
}

function said(wasThere: boolean, isThere: boolean, of: Pick<Meaning, 'missing' | 'extra' | 'differs'>) {
  if (wasThere && isThere) return of.differs
  if (isThere) return of.missing
  return wasThere ? of.extra : undefined
}

const call = /^\s*(?:AscendC::)?([A-Z]\w+)\s*(?:<[^;(){}]*>)?\s*\([^;]*\)\s*;\s*$/

/** A call that is missing, does not belong, or is another one. */
function onOperation(before: string, after: string): string | undefined {
  const wrong = call.exec(before)?.[1]
  const right = call.exec(after)?.[1]
  if (right !== undefined && before.trim() === '') return `Without ${code(right)} its result is never computed.`
  if (wrong !== undefined && after.trim() === '') return `${code(wrong)} does not belong here.`
  if (wrong === undefined || right === undefined) return undefined
  if (wrong === 'DataCopy' && right === 'DataCopyPad') return 'DataCopy moves whole blocks of 32 bytes only.'
  if (wrong !== right) return `This step needs ${code(right)}, not ${code(wrong)}.`
  return undefined
}
