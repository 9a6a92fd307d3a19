import {describe, expect, test} from 'vitest'
import {staticTruth} from '../../../../pipelines/code/specialise/static-truth.ts'

const scope = {constants: new Map([['N', 7]]), types: new Map<string, number>()}
const answer = (atom: string) => ({known: true, refuted: false})[atom]

describe('a condition is settled as C++ would', () => {
  test.each([
    ['true', true],
    [' false ', false],
    ['!true', false],
    ['!!true', true],
    ['!other', undefined],
    ['(true)', true],
    ['((false) || (true))', true],
    ['(true) && (false)', false],
    ['true && other', undefined],
    ['false && other', false],
    ['other && false', false],
    ['true || other', true],
    ['other || true', true],
    ['false || other', undefined],
    ['false || false', false],
    ['true && true', true],
    ['false && true || true', true],
    ['false && (true || true)', false],
    ['true || true && false', true],
    ['!(true && false)', true],
    ['7', true],
    ['0', false],
    ['N', true],
    ['N - 7', false],
    ['other', undefined],
    ['N == 7', true],
    ['N != 7', false],
    ['N < 7', false],
    ['N <= 7', true],
    ['N > 6', true],
    ['N >= 8', false],
    ['Space::N == 7', true],
    ['other == 7', undefined],
    ['7 == other', undefined],
    ['!= 7', undefined],
    ['static_cast<int>(N) == 7', true],
    ['(N == 7) == true', undefined],
    ['f(a || b) && false', false],
    ['known', true],
    ['refuted', false],
    ['known && !refuted', true],
    ['known == 1', undefined],
  ])('%s', (condition, expected) => expect(staticTruth(condition, scope, answer)).toBe(expected))
})

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
