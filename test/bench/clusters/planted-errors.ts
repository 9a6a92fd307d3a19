import type {ErrorClass} from '../../../datasets/schema/error-class.ts'
import {randomFrom, type Random} from '../../../engine/random.ts'

/** One fault as a template: `$name` is an identifier, `$T` an element type, `$1` a number; the rest stays. */
interface Planted {
  /** Equal for the faults that are one. */
  fault: string
  class: ErrorClass
  text: string
}

const tensors = 'LocalTensor<$T>& $y, LocalTensor<$T>& $x'
const call = (fault: string, name: ErrorClass, parameters: string, statement: string): Planted => ({
  fault,
  class: name,
  text: `__aicore__ inline void $f(${parameters}) {\n  int32_t $n = $1;\n  ${statement}\n}`,
})

const api = 'api-signature-and-overload'
const dtype = 'data-type-and-conversion'
const scope = 'variable-scope-and-lifetime'
const memory = 'memory-and-object-usage'
const syntax = 'syntax-and-structure'
const macro = 'macro-and-preprocessing'

/** Faults of all six classes of Appendix C of the AscendKernelGen paper. */
export const planted: readonly Planted[] = [
  call('Muls of a tensor', api, tensors, 'Muls($y, $x, $x, $n);'),
  call('Mins of a tensor', api, tensors, 'Mins($y, $x, $x, $n);'),
  call('Adds of a tensor', api, tensors, 'Adds($y, $x, $y, $n);'),
  call('Add without its count', api, tensors, 'Add($y, $x, $x);'),
  call('Sub without its count', api, tensors, 'Sub($y, $x, $x);'),
  call('Exp without its count', api, tensors, 'Exp($y, $x);'),
  call('Exp with too much', api, tensors, 'Exp($y, $x, $n, $n, $n, $n, $n);'),
  call(
    'DataCopy between tensors of global memory',
    api,
    'GlobalTensor<$T>& $y, GlobalTensor<$T>& $x',
    'DataCopy($y, $x, $n);',
  ),
  call('DataCopy between types', api, 'LocalTensor<float>& $y, GlobalTensor<half>& $x', 'DataCopy($y, $x, $n);'),
  call(
    'DataCopyPad the wrong way round',
    api,
    'LocalTensor<$T>& $y, GlobalTensor<$T>& $g',
    'DataCopyExtParams $p{1, 32, 0, 0, 0};\n  DataCopyPadExtParams<$T> $q{false, 0, 0, 0};\n  DataCopyPad($g, $y, $p, $q);',
  ),
  call('a function that AscendC does not have', api, tensors, 'AscendC::$g2($y, $x, $n);'),
  call('types of Add that differ', api, 'LocalTensor<float>& $y, LocalTensor<half>& $x', 'Add($y, $y, $x, $n);'),
  call(
    'Cast to bool',
    dtype,
    'LocalTensor<bool>& $y, LocalTensor<float>& $x',
    'Cast($y, $x, RoundMode::CAST_NONE, $n);',
  ),
  call('Duplicate of a byte', dtype, 'LocalTensor<uint8_t>& $y, uint8_t $v', 'Duplicate($y, $v, $n);'),
  call('Sub of bool', dtype, 'LocalTensor<float>& $y, LocalTensor<bool>& $x', 'Sub($y, $x, $y, $n);'),
  call('a tensor as another one', dtype, 'LocalTensor<float>& $x', 'LocalTensor<int32_t> $y = $x;'),
  call('a tensor as a number', dtype, 'LocalTensor<$T>& $x', 'int32_t $v = $x;'),
  call('an assignment to a constant', dtype, tensors, 'const int32_t $v = $1; $v = $n;'),
  call('a name that nobody declared', scope, tensors, 'Add($y, $x, $zz, $n);'),
  call('a function that nobody declared', scope, tensors, '$ff($y, $x, $n);'),
  call('a constant that nobody declared', scope, tensors, '$n = $kk + $1;'),
  call('a type that nobody declared', scope, '', '$tt $v;'),
  call('a name declared twice', scope, '', 'int32_t $n = $1;'),
  call('GetSize of a queue', memory, 'TQue<QuePosition::VECIN, $2>& $q', 'auto $v = $q.GetSize();'),
  call('SetFlag of a buffer', memory, 'TBuf<QuePosition::VECCALC>& $b', '$b.SetFlag($n);'),
  call('an address as a number', memory, 'LocalTensor<$T>& $x', 'float $v = *(uint64_t)$x.GetPhyAddr();'),
  call('SetGlobalBuffer of another type', memory, 'GlobalTensor<int32_t>& $g, int64_t* $p', '$g.SetGlobalBuffer($p);'),
  call('an arrow behind a tensor', memory, 'LocalTensor<$T>& $x', '$n = $x->GetSize();'),
  call('a missing semicolon', syntax, tensors, 'Add($y, $x, $x, $n)'),
  call('a missing bracket', syntax, tensors, 'Add($y, $x, $x, $n;'),
  call('a name that starts with a digit', syntax, '', 'float 1_702_$v = 1.5f;'),
  {fault: 'a member that is not there', class: syntax, text: 'struct $S { int $a; void $f() { this->$bb = $1; } };'},
  {fault: 'a function without its type', class: syntax, text: '$f(int $n) {}'},
  {fault: 'a break outside of loops', class: syntax, text: 'void $f(int $n) { if ($n > $1) break; }'},
  {fault: 'TILING_KEY_IS as a statement', class: macro, text: 'void $f() { TILING_KEY_IS($1) { int $a = $2; } }'},
  {fault: 'GET_TILING_DATA of one argument', class: macro, text: 'void $f(GM_ADDR $t) { GET_TILING_DATA($t); }'},
  {fault: 'an #if without its #endif', class: macro, text: '#if defined($MM)\nvoid $f() {}'},
]

const words = 'tile row src dst acc sum tmp value offset count buffer scale shift local global block core part'.split(
  ' ',
)
const elements = ['float', 'half']

/** Where a function stands: by itself, in a class, in a class template that is instantiated for the element type. */
const inForm: Record<string, (text: string) => string> = {
  function: (text) => text,
  member: (text) => `class $K {\npublic:\n${text}\n};`,
  template: (text) =>
    `template <typename $E>\nclass $K {\npublic:\n${text.replaceAll('$T', '$E')}\n};\ntemplate class $K<$T>;`,
}

/** One way of writing a fault: other names, numbers, element types and places. */
export function written({fault, text}: Planted, number: number): string {
  const random = randomFrom('clusters', fault, number)
  const names = new Map<string, string>()
  const type = random.pick(elements)
  const form = text.includes('__aicore__') ? random.pick(['function', 'member', 'template']) : 'function'
  const body = (inForm[form]?.(text) ?? text).replace(/\$(\w+)/g, (_, name: string) => {
    if (name === 'T') return type
    if (/^\d/.test(name)) return String(random.integer(2, 900))
    const chosen = names.get(name) ?? unusedName(random, new Set(names.values()))
    names.set(name, chosen)
    return chosen
  })
  const before = Array.from({length: random.integer(0, 30)}, (_, at) => `constexpr int ${'abc'[at % 3]}${at}_ = ${at};`)
  return ['#include "kernel_operator.h"', 'using namespace AscendC;', ...before, body, ''].join('\n')
}

function unusedName(random: Random, used: ReadonlySet<string>): string {
  for (;;) {
    const parts = [random.pick(words), random.pick(words), String(random.integer(0, 99))]
    const name = random.pick([
      parts.join('_'),
      parts.map((part, at) => (at === 0 ? part : part.replace(/^./, (first) => first.toUpperCase()))).join(''),
      parts.map((part) => part.replace(/^./, (first) => first.toUpperCase())).join(''),
    ])
    if (!used.has(name)) return name
  }
}
