import {Needs} from '../../../../pipelines/ascendcraft/lower/scalar-code.ts'
import {describe, expect, test} from 'vitest'
import {flat, type Stage} from '../../../../pipelines/ascendcraft/lower/mentions.ts'
import {planKernel} from '../../../../pipelines/ascendcraft/lower/plan-lowering.ts'
import {stageBody} from '../../../../pipelines/ascendcraft/lower/stage-body.ts'
import {sketched} from '../../../helpers/interpreting.ts'
import {checkedText} from '../../../helpers/lowering.ts'

/** Statements of a compute stage that has x, and writes y at the end if nothing else does. */
function computed(compute: string): string[] {
  const kernel = `x = tl.alloc_ub(64, dtype=tl.float32)
y = tl.alloc_ub(64, dtype=tl.float32)
z = tl.alloc_ub(64, dtype=tl.float32)
h = tl.alloc_ub(64, dtype=tl.float16)
with tl.copyin():
    tl.load(x_ptr, x, count=64)
with tl.compute():
    tl.exp(z, x, count=64)
    tl.cast(h, z, count=64)
    tl.exp(y, z, count=64)
${compute.replace(/^(?=.)/gm, '    ')}
with tl.copyout():
    tl.store(y_ptr, y, count=64)
`
  const plan = planKernel(checkedText(sketched({kernel, scalars: {k: 'n', f: '1.5'}})))
  const stage = flat(plan.body).find((one): one is Stage => one.kind === 'stage' && one.stage === 'compute')
  if (!stage) throw new TypeError('the kernel has no compute stage')
  const lines = (stageBody(stage, plan, new Needs(), 'aligned') as readonly unknown[]).flat(9).map(String)
  return lines.slice(3)
}

const toScalar = 'Synchronise<HardEvent::V_S>();'
const toVector = 'Synchronise<HardEvent::S_V>();'
const exp = 'Exp(yLocal, zLocal, 64);'

describe('the scalar and the vector unit wait for each other', () => {
  test.each<[string, string, string[]]>([
    ['not where the vector unit works alone', 'tl.exp(y, z, count=64)', [exp]],
    [
      'where a scalar reads, and where the vector unit goes on',
      'v = tl.extract(z, 0)\ntl.muls(y, z, v, count=64)',
      [toScalar, 'const float v = zLocal.GetValue(0);', toVector, 'Muls(yLocal, zLocal, v, 64);'],
    ],
    [
      'once for several reads',
      'v = tl.extract(z, 0)\nw = tl.extract(z, k)\ntl.muls(y, z, v + w, count=64)',
      [
        ...[toScalar, 'const float v = zLocal.GetValue(0);', 'const float w = zLocal.GetValue(k_);'],
        ...[toVector, 'Muls(yLocal, zLocal, v + w, 64);'],
      ],
    ],
    [
      'again behind a vector operation',
      'tl.set(z, 0, 1.0)\ntl.exp(y, z, count=64)\ntl.set(z, 1, f)',
      [toScalar, 'zLocal.SetValue(0, 1.0f);', toVector, exp, toScalar, 'zLocal.SetValue(1, f_);', toVector],
    ],
    [
      'for an operand that is an element, which gets a name',
      'tl.muls(y, z, tl.extract(z, 3), count=64)',
      [...[toScalar, 'const float element = zLocal.GetValue(3);', toVector], 'Muls(yLocal, zLocal, element, 64);'],
    ],
    [
      'in front of a branch that looks at an element, and behind what it does',
      'if tl.extract(z, 0) > 0.0:\n    tl.exp(y, z, count=64)\nelse:\n    tl.set(z, 0, 1.0)',
      [
        ...[toScalar, toVector, 'if (zLocal.GetValue(0) > 0.0f) {', exp],
        ...['} else {', toScalar, 'zLocal.SetValue(0, 1.0f);', toVector, '}'],
      ],
    ],
    [
      'in each turn of a loop',
      'for i in range(k):\n    tl.set(z, i, f)',
      ['for (int64_t i = 0; i < k_; ++i) {', ...[toScalar, 'zLocal.SetValue(i, f_);', toVector, '}']],
    ],
    [
      'in front of a loop of scalars alone',
      'v = 0.0\nfor i in range(k):\n    v = v + tl.extract(z, i)\ntl.muls(y, z, v, count=64)',
      [
        ...['float v = 0.0f;', toScalar, 'for (int64_t i = 0; i < k_; ++i) {'],
        ...['v = v + zLocal.GetValue(i);', '}', toVector, 'Muls(yLocal, zLocal, v, 64);'],
      ],
    ],
    [
      'not for a loop of scalars that reads nothing',
      'v = 0\nfor i in range(k):\n    v = v + i\ntl.muls(y, z, v, count=64)',
      [
        ...['int64_t v = 0;', 'for (int64_t i = 0; i < k_; ++i) {', 'v = v + i;', '}'],
        'Muls(yLocal, zLocal, static_cast<float>(v), 64);',
      ],
    ],
    [
      'where an element of half precision is read',
      'v = tl.extract(h, 0)\ntl.muls(y, z, v, count=64)',
      [
        ...[toScalar, 'const float v = static_cast<float>(hLocal.GetValue(0));', toVector],
        'Muls(yLocal, zLocal, v, 64);',
      ],
    ],
  ])('%s', (_, compute, lines) => {
    expect(computed(compute)).toEqual(lines)
  })
})
