import type {PagePlan} from './page-plan.ts'

/** The page leaves memory of GM to its reader, and calls end with the one that takes the mode back. */
const intoGm: PagePlan = {
  names: 'asc_set_atomic_none',
  rename: {dst: 'dstGm'},
  replace: [[/\bdst\b/g, 'dstGm']],
  type: 'int8',
  total: 256,
}
/** The page prints `[1 2 3 ... 16 17 ... 225... 256]`. */
const counting = {src: (index: number) => index + 1}
const fromFour: PagePlan = {size: {src: 256, dst: 4}}
const tooSmall = 'two repeats of 128 elements give 128 sums, as the page prints, and its dst has room for 16'

/** Pages of the C API (`asc_*`). */
export const cPlans: Record<string, PagePlan> = {
  asc_set_atomic_add: intoGm,
  asc_set_atomic_max: intoGm,
  asc_set_atomic_min: intoGm,
  asc_set_atomic_none: {
    ...intoGm,
    type: 'int16',
    declare:
      '__ubuf__ int16_t zero[256]; asc_duplicate_sync(zero, int16_t(0), 256); asc_copy_ub2gm_sync(dstGm, zero, 512);',
  },
  asc_brcb: {type: 'uint16', size: {dst: 256}},
  asc_datablock_reduce_max: {size: {src: 256, dst: 16}, fill: counting},
  asc_datablock_reduce_min: {
    size: {src: 256, dst: 16},
    fill: counting,
    wrong: 'the last of 16 blocks of 16 holds 241 to 256; the 225 that the page prints last begins the block before',
  },
  asc_datablock_reduce_sum: {size: {src: 256, dst: 16}},
  asc_duplicate: {type: 'uint16', total: 128},
  asc_pair_reduce_sum: {
    fill: counting,
    size: {src: 256, dst: 128},
    replace: [[/dst_length = 16\b/, 'dst_length = 128']],
    wrong: tooSmall,
  },
  asc_repeat_reduce_max: {...fromFour, names: 'asc_repeat_reduce_max_value_index'},
  asc_repeat_reduce_min: {...fromFour, names: 'asc_repeat_reduce_min_value_index'},
  asc_repeat_reduce_sum: {size: {src: 256, dst: 2}},
}
