import type {Statement} from '../../cpp/syntax.ts'

/**
 * What a checking macro of the operator libraries requires. `subjects` are the expressions that it names, in the order
 * that the sentence about it needs them.
 */
export interface Check {
  kind: CheckKind
  subjects: string[]
  /** What the function returns if the check fails; `return` if nothing, '' if the macro decides. */
  result: string
}

type CheckKind =
  | 'not-null'
  | 'holds'
  | 'fails'
  | 'dtype-in'
  | 'dtype-is'
  | 'dtype-same'
  | 'dtype-converts'
  | 'shape-same'
  | 'shape-is'
  | 'dims-at-most'
  | 'dims-at-least'
  | 'dims-exactly'
  | 'broadcast'
  | 'broadcast-to'

interface Row {
  kind: CheckKind
  /** Arguments that the check is about, and the one that holds what is given back. */
  subjects: readonly number[]
  result?: number
}

const two = [0, 1]

/** The operator libraries' macros. Sources: `op_error_check.h` and `log.h` of the open operator base. */
const rows: Readonly<Record<string, Row>> = {
  OP_CHECK_NULL: {kind: 'not-null', subjects: [0], result: 1},
  OP_CHECK_NULL_WITH_CONTEXT: {kind: 'not-null', subjects: [1]},
  OPS_CHECK_NULL_WITH_CONTEXT: {kind: 'not-null', subjects: [1]},
  OP_CHECK_IF: {kind: 'fails', subjects: [0], result: 2},
  OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE: {kind: 'fails', subjects: [0], result: 1},
  OP_CHECK_INFERSHAPE: {kind: 'fails', subjects: [0], result: 1},
  OP_TILING_CHECK: {kind: 'fails', subjects: [0], result: 2},
  ASCENDC_HOST_ASSERT: {kind: 'holds', subjects: [0], result: 1},
  CHECK_RET: {kind: 'holds', subjects: [0], result: 1},
  CHECK_COND: {kind: 'holds', subjects: [0], result: 1},
  OP_CHECK_DTYPE_NOT_SUPPORT: {kind: 'dtype-in', subjects: two, result: 2},
  OP_CHECK_DTYPE_NOT_MATCH: {kind: 'dtype-is', subjects: two, result: 2},
  OP_CHECK_DTYPE_NOT_SAME: {kind: 'dtype-same', subjects: two, result: 2},
  OP_CHECK_RESULT_DTYPE_CAST_FAILED: {kind: 'dtype-converts', subjects: two, result: 2},
  OP_CHECK_SHAPE_NOT_EQUAL: {kind: 'shape-same', subjects: two, result: 2},
  OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE: {kind: 'shape-is', subjects: two, result: 2},
  OP_CHECK_MAX_DIM: {kind: 'dims-at-most', subjects: two, result: 2},
  OP_CHECK_MIN_DIM: {kind: 'dims-at-least', subjects: two, result: 2},
  OP_CHECK_WRONG_DIMENSION: {kind: 'dims-exactly', subjects: two, result: 2},
  OP_CHECK_BROADCAST: {kind: 'broadcast', subjects: two, result: 2},
  OP_CHECK_BROADCAST_WITH_SHAPE: {kind: 'broadcast', subjects: two, result: 2},
  OP_CHECK_BROADCAST_AND_INFER_SHAPE: {kind: 'broadcast-to', subjects: [0, 1, 2], result: 3},
}

/** In `op_api/`, OP_CHECK names what must hold; the host side has used the same name for the opposite. */
const ofApi: Readonly<Record<string, Row>> = {OP_CHECK: {kind: 'holds', subjects: [0], result: 2}}

/** The check that a statement is, or undefined. */
export function checkOf({kind, call}: Statement, {isApi}: {isApi: boolean}): Check | undefined {
  if (kind !== 'call' || call?.receiver !== '') return undefined
  const row = rows[call.name] ?? (isApi ? ofApi[call.name] : undefined)
  const subjects = row?.subjects.flatMap((index) => call.args[index] ?? [])
  if (!row || !subjects || subjects.length < row.subjects.length) return undefined
  return {kind: row.kind, subjects, result: row.result === undefined ? '' : (call.args[row.result] ?? '')}
}

const silent = /^(?:OPS?_LOG\w*|L[02]_DFX\w*|[A-Z]*_?LOG[DIWE]|KERNEL_LOG\w*|TILING_LOG\w*|ASCENDC_\w*LOG\w*|printf)$/

/** Logging and profiling: not part of the computation. */
export function isSilent({kind, call, text}: Statement): boolean {
  return kind === 'call' && (call === undefined ? text === '' : silent.test(call.name))
}
