/** How the executor words what it saw, as its own format string, with a name for each value in it. */
interface Form {
  situation: string
  format: string
  values: readonly string[]
}

const form = (situation: string, format: string, ...values: string[]): Form => ({situation, format, values})

/** A test finds each of these in the sources of the twin. */
export const forms: readonly Form[] = [
  form(
    'alloc-deadlock',
    'AllocTensor finds none of the %u blocks free; on the device it would wait for ever',
    'blocks',
  ),
  form('deque-empty', 'DeQue on a queue with nothing in it'),
  form('use-while-enqueued', '%s of %s stands in the queue: EnQue was called and DeQue was not', 'operand', 'api'),
  form('use-after-free', '%s of %s is free memory of the queue', 'operand', 'api'),
  form('enque-twice', 'EnQue of a tensor that %s', 'state'),
  form('foreign-tensor', '%s with a tensor of %s', 'api', 'owner'),
  form('queue-not-initialised', '%s on a queue that no InitBuffer of the current TPipe has set up', 'api'),
  form(
    'pipe-hazard',
    '%s %s %s on %s while %s still %s it%s%s: nothing orders the two pipes',
    ...['api', 'does', 'operand', 'late', 'early', 'still', 'by', 'other'],
  ),
  form(
    'out-of-buffer',
    '%s of %s covers bytes %lld to %lld of a buffer of %lld bytes',
    ...['operand', 'api', 'from', 'to', 'bytes'],
  ),
  form(
    'unaligned-ub',
    '%s of %s starts at %s address 0x%llx, %llu bytes past a multiple of %u',
    ...['operand', 'api', 'space', 'hex', 'past', 'multiple'],
  ),
  form('partial-overlap', 'dst of %s overlaps %s with a shift of %lld bytes', 'api', 'operand', 'shift'),
  form(
    'ub-overflow',
    'InitBuffer of %u x %u bytes needs %llu bytes of %s in all; there are %u',
    ...['num', 'len', 'needed', 'space', 'capacity'],
  ),
  form('init-buffer', 'InitBuffer with num %u and len %u; num is 1 to 64 and len is above 0', 'num', 'len'),
  form(
    'length-in-elements',
    'blockLen %u of DataCopyPad is no multiple of the element size %u; it counts bytes',
    ...['given', 'size'],
  ),
  form('too-many-blocks', 'blockCount %u of %s is outside 0 to 4095', 'given', 'api'),
  form('too-much-padding', 'DataCopyPad pads %llu bytes left and %llu right; each is at most 32', 'left', 'right'),
  form(
    'unaligned-copy',
    '%s of %llu elements is %llu bytes, no multiple of 32; the device would move %llu',
    ...['api', 'count', 'bytes', 'moved'],
  ),
  form(
    'unaligned-gm',
    "%s of %s starts at byte %llu of '%s', no multiple of the element size %u",
    ...['operand', 'api', 'byte', 'tensor', 'size'],
  ),
  form(
    'gm-out-of-range',
    "%s of %s covers bytes %llu to %llu of '%s', which has %llu%s",
    ...['operand', 'api', 'from', 'to', 'tensor', 'has', 'more'],
  ),
  form('write-to-input', "%s writes bytes %llu to %llu of '%s', which is an input", ...['api', 'from', 'to', 'tensor']),
  form(
    'gm-overlap',
    "%s writes bytes %llu to %llu of '%s', which block %u has written with other values",
    ...['api', 'from', 'to', 'tensor', 'block'],
  ),
  form(
    'unwritten-output',
    "bytes %llu to %llu of '%s' hold values that nothing computed: %s",
    ...['from', 'to', 'tensor', 'note'],
  ),
  form(
    'unwritten-local',
    '%s of %s reads byte %u, which nothing has written%s%s',
    ...['operand', 'api', 'byte', 'then', 'note'],
  ),
  form(
    'flag-set-twice',
    'SetFlag from %s to %s, event %d, comes again before its WaitFlag',
    ...['from', 'to', 'event'],
  ),
  form(
    'wait-without-set',
    'WaitFlag from %s to %s, event %d, which no SetFlag has set; on the device it would wait for ever',
    ...['from', 'to', 'event'],
  ),
  form('unpaired-flag', 'SetFlag from %s to %s, event %u, has no WaitFlag', 'from', 'to', 'event'),
  form(
    'flag-overflow',
    'cross-core flag %d is set 16 times and %s has waited for none of them; the counter ends at 15',
    ...['flag', 'block'],
  ),
  form('leak-in-queue', 'the kernel ends with a tensor in the queue that no DeQue took'),
  form('leak', 'the kernel ends with a tensor that was %s and never freed', 'state'),
  form('atomic-left-on', 'the kernel ends with atomic writes switched on'),
  form('atomic-type', 'atomic writes are set for %s and the copy is of %s', 'set', 'copied'),
  form(
    'cross-core-kind',
    'CrossCoreSetFlag of mode 2 orders a cube core and its vector cores, and this kernel runs on one kind of core only',
  ),
  form('second-tpipe', 'a TPipe is created while another one is alive'),
]

/** What a message says, by name: numbers as numbers, but addresses. Undefined for a message of no known form. */
export function observedValues(
  message: string,
): {situation: string; values: Record<string, string | number>} | undefined {
  for (const {situation, format, values} of forms) {
    const found = patternOf(format).exec(message)
    if (!found) continue
    const read = values.map((name, at): [string, string | number] => {
      const text = found[at + 1] ?? ''
      return [name, /^\d+$/.test(text) && name !== 'hex' ? Number(text) : text]
    })
    return {situation, values: Object.fromEntries(read)}
  }
  return undefined
}

const holes: Readonly<Record<string, string>> = {s: '(.*?)', d: '(-?\\d+)', u: '(\\d+)', x: '([\\da-f]+)'}

function patternOf(format: string): RegExp {
  const pattern = format
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/%(?:ll)?([sdux])/g, (_, kind: string) => holes[kind] ?? '')
  return new RegExp(`^${pattern}$`)
}
