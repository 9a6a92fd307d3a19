/**
 * Why mutants of a kind are judged correct now and then, as their places suggest: nobody read each text. Most seem to
 * be other ways of writing the same; the others show what the twin or the cases of a task do not see. `reached` proves
 * which of a run stand where no core comes: in operators of repositories that is about half of them.
 */
export const survivors: Readonly<Record<string, {why: string; seen: 'same' | 'not-judged' | 'not-met'}>> = {
  'assigned-constant': {seen: 'same', why: 'a tensor that is declared const is a handle: nothing assigns to it later'},
  'barrier-not-met': {seen: 'not-met', why: 'the task has one block, or none waits: a barrier for block 0 is met'},
  'branch-left-empty': {seen: 'not-met', why: 'the branch that lost its lines is for cores that the case lacks'},
  'buffer-too-small': {seen: 'same', why: 'InitBuffer rounds up to 32 bytes, and what is used fits into that'},
  'copied-over-again': {
    seen: 'not-met',
    why: 'the core has one tile, whose place is the start',
  },
  'count-through-float': {seen: 'same', why: 'lengths below 2^24 are whole as floats'},
  'host-rounds-down': {seen: 'same', why: 'the quotient is whole for these types, or is rounded again afterwards'},
  'min-for-max': {
    seen: 'not-met',
    why: 'the bound is never the tighter one, or a larger share than needed is cut later',
  },
  'host-size-scaled': {seen: 'same', why: 'fewer cores take larger shares'},
  'missing-flag': {
    seen: 'not-judged',
    why: 'what vector and scalar unit do through tensors is ordered by the device compiler (--cce-auto-sync)',
  },
  'missing-static-cast': {seen: 'same', why: 'the conversion is implicit, to the same value'},
  'no-room-for-reduction': {
    seen: 'same',
    why: 'a work tensor may be the source where that is not read again, or any that is long enough',
  },
  'operators-on-tensors': {seen: 'same', why: 'the operators of LocalTensor compute what the function does'},
  'repeat-form-out-of-range': {seen: 'not-met', why: 'what the repeats go past lies in the buffer and is not read'},
  'shadowed-member': {seen: 'same', why: 'the member that keeps its value is not read in that case, or has the same'},
  'stage-called-twice': {
    seen: 'same',
    why: 'what is called twice only sets, binds or waits: the second call changes nothing',
  },
  'swapped-operands': {seen: 'same', why: 'the result goes through Abs or is squared'},
  'tensor-without-memory': {seen: 'not-met', why: 'the buffer is not used for the types and sizes of the task'},
  'tile-offset-missing': {seen: 'not-met', why: 'the core has one tile, whose place is the start'},
  'tiling-field-constant': {seen: 'same', why: 'it is the value that the tiling computes, or one that is only slower'},
  'tiling-fields-swapped': {seen: 'not-met', why: 'both fields are the same, or the core has one tile'},
  'wrong-buffer-number': {seen: 'same', why: 'more buffers than are needed fit into UB'},
  'wrong-buffer-size': {
    seen: 'same',
    why: 'InitBuffer rounds up to 32 bytes, or the buffer was larger than what is used',
  },
  'wrong-comparison': {seen: 'not-met', why: 'the last results are written by another path as well'},
  'wrong-compute-length': {
    seen: 'not-met',
    why: 'the saturation of a later Cast does to the last element what is left out',
  },
  'wrong-constant': {
    seen: 'same',
    why: 'the count stays within the 32 bytes of the operand, whose first element alone is read',
  },
  'wrong-core-count': {seen: 'same', why: 'a core too many finds nothing to do'},
  'wrong-count': {seen: 'same', why: 'elements behind the last one of the tile are written and not read'},
  'wrong-event-pipes': {
    seen: 'not-judged',
    why: 'what vector and scalar unit do through tensors is ordered by the device compiler (--cce-auto-sync)',
  },
  'wrong-formula': {seen: 'same', why: 'another length of tiles that still fits into UB'},
  'wrong-host-constant': {seen: 'same', why: 'a size of tiles or of alignment that fits as well, and is only slower'},
  'wrong-inferred-output': {seen: 'not-met', why: 'every case states the attribute, so its default is not used'},
  'wrong-shape-read': {seen: 'same', why: 'the two inputs have the same shape by the definition of the task'},
  'wrong-tiling-field': {seen: 'not-met', why: 'the two fields are equal for the sizes that are met'},
  'wrong-tail-length': {seen: 'not-met', why: 'the core has one tile, which is the last'},
  'wrong-tiling-key': {seen: 'same', why: 'the kernel of a reduced operator has one branch left and reads no key'},
  'wrong-type-size': {seen: 'same', why: 'the sizes are used for a bound only, which holds for either type'},
}
