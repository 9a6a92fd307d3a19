/**
 * What goes wrong in a mutant, by the name of its mutation. Those of no kind make code that does not compile, which
 * says nothing about checks.
 */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  'queue life': [
    'missing-enque',
    'missing-free',
    'alloc-instead-of-deque',
    'deque-instead-of-alloc',
    'freed-too-early',
    'wrong-queue',
  ],
  'bounds and alignment': [
    'buffer-too-small',
    'ub-over-capacity',
    'tile-off-by-one',
    'unaligned-data-copy',
    'elements-for-bytes',
  ],
  'missing sync': ['missing-set-flag', 'missing-wait-flag', 'missing-flag', 'missing-barrier', 'missing-sync-all'],
  'wrong tail': [
    'wrong-tail-length',
    'missing-tail',
    'last-tile-skipped',
    'wrong-compute-length',
    'wrong-reduction-length',
  ],
  'wrong tiling': [
    'tiling-not-saved',
    'tiling-field-not-set',
    'tiling-data-not-read',
    'wrong-tiling-key',
    'wrong-block-dim',
    'wrong-total-length',
    'block-index-ignored',
    'block-offset-missing',
  ],
  'swapped operand': ['swapped-operands', 'wrong-operation'],
  'precision downgrade': ['half-precision', 'wrong-rounding'],
  'stale buffer': [
    'missing-copy-in',
    'missing-cast',
    'missing-copy-out',
    'tile-offset-missing',
    'missing-step',
    'missing-result',
  ],
  'NaN writer': ['nan-writer'],
  'constant writer': ['zero-writer', 'one-writer'],
  'copy of input': ['input-copy'],
  'baked-in shape': ['baked-in-shape'],
}

export const kindOf: ReadonlyMap<string, string> = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind])),
)

export const ofManyCores: ReadonlySet<string> = new Set([
  'wrong-block-dim',
  'block-index-ignored',
  'block-offset-missing',
])
