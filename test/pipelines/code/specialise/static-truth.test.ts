import {describe, expect, test} from 'vitest'
import {staticTruth, type Answer} from '../../../../pipelines/code/specialise/static-truth.ts'

const scope = {constants: new Map([['N', 7]]), types: new Map<string, number>()}
const answer: Answer = {
  name: (name) => ({known: true, refuted: false})[name],
  equal: (left, right) => (right === 'ge::DT_FLOAT' ? left === 'x->type' : undefined),
}

test.each<[condition: string, holds: boolean | undefined]>([
  ['true', true],
  [' false ', false],
  ['((false) || !(true))', false],
  ['N - 7', false],
  ['N == 7', true],
  ['(N == 7) == true', true],
  ['Space::Inner::N == 7', true],
  ['this->N == 7', true],
  ['info.N == 7', undefined],
  ['sizeof(int32_t) == 4', true],
  ['other', undefined],
  ['known', true],
  ['refuted', false],
  ['known && !refuted', true],
  ['known == 1', true],
  ['x->type == ge::DT_FLOAT', true],
  ['y->type == ge::DT_FLOAT', false],
  ['y->type != ge::DT_FLOAT && other', undefined],
  ['y == DT_FLOAT', undefined],
])('the condition %s is settled: %s', (condition, holds) => expect(staticTruth(condition, scope, answer)).toBe(holds))

describe('types are compared where both are concrete', () => {
  test.each([
    ['std::is_same_v<half, half>', true],
    ['std::is_same<half, float16_t>::value', true],
    ['is_same<half, float>::value', false],
    ['AscendC::IsSameType<float, float>::value', true],
    ['IsSameType<int, int32_t>()', true],
    ['IsSameType<bfloat16_t, half>{}', false],
    ['std::is_same_v<char, char>', true],
    ['std::is_same_v<T, half>', undefined],
    ['std::is_same_v<half, T>', undefined],
    ['std::is_same_v<half, half, half>', undefined],
    ['!std::is_same_v<half, float> && N == 7', true],
  ])('%s', (condition, expected) => expect(staticTruth(condition, scope)).toBe(expected))
})
