import {describe, expect, test} from 'vitest'
import {hostSteps} from '../../../../pipelines/preference/rewinds.ts'
import {firstAndReversed} from '../variants/chance.ts'
import {taking} from './taking.ts'

const taken = taking(hostSteps, 'op_host/a.cpp')

describe('cores', () => {
  test.each([
    ['n = platform.GetCoreNumAiv();', 'n = platform.GetCoreNumAiv() / 4;', 'n = 1;'],
    ['n = platform->GetCoreNum() + 1;', 'n = platform->GetCoreNum() / 4 + 1;', 'n = 1 + 1;'],
    ['f(P(c->Info(a, b)).GetCoreNumAiv(), 2);', 'f(P(c->Info(a, b)).GetCoreNumAiv() / 4, 2);', 'f(1, 2);'],
    ['n = a - ascend::P(x).GetCoreNumAiv();', 'n = a - ascend::P(x).GetCoreNumAiv() / 4;', 'n = a - 1;'],
    ['n = a>b.GetCoreNum();', 'n = a>b.GetCoreNum() / 4;', 'n = a>1;'],
    ['n = a-b.GetCoreNum();', 'n = a-b.GetCoreNum() / 4;', 'n = a-1;'],
    ['(GetCoreNumAiv());', '(GetCoreNumAiv() / 4);', '(1);'],
    ['GetCoreNumAiv();', 'GetCoreNumAiv() / 4;', '1;'],
    ['->GetCoreNum();', '->GetCoreNum() / 4;', '1;'],
    ['n = p.GetCoreNumAiv() / 4;', undefined, 'n = 1;'],
    [
      'n = p.GetCoreNumAiv()  /  16 + p.GetCoreNum();',
      'n = p.GetCoreNumAiv()  /  16 + p.GetCoreNum() / 4;',
      'n = 1 + 1;',
    ],
    ['n = p.GetCoreNumAiv() / parts;', 'n = p.GetCoreNumAiv() / 4 / parts;', 'n = 1 / parts;'],
    ['n = p.GetCoreNumAic();', undefined, undefined],
  ])('%s', (text, fewer, one) => {
    expect([taken('fewer-cores', text), taken('one-core', text)]).toEqual([fewer, one])
  })
  test('of a kernel are not asked', () => {
    expect(taking(hostSteps, 'op_kernel/a.cpp')('one-core', 'n = p.GetCoreNum();')).toBeUndefined()
  })
})

describe('tiles', () => {
  test.each([
    ['t.set_tileLength(n);', 't.set_tileLength(n < 256 ? n : 256);'],
    ['t.set_tileLength(a + b);', 't.set_tileLength((a + b) < 256 ? (a + b) : 256);'],
    ['t.set_tile_rows(n);', 't.set_tile_rows(n < 1 ? n : 1);'],
    ['t.tileLen = n;', 't.tileLen = n < 256 ? n : 256;'],
    ['t->TILESIZE =  a * b;', 't->TILESIZE =  (a * b) < 256 ? (a * b) : 256;'],
    ['t.tileDataNum = n; t.tileRows = m;', 't.tileDataNum = n < 256 ? n : 256; t.tileRows = m < 1 ? m : 1;'],
    ['t.tileElements == n;', undefined],
    ['t.set_tileCount(n);', undefined],
    ['t.set_myTileLength(n);', undefined],
    ['tileLength = n;', undefined],
    ['t.tileLength(n);', undefined],
    ['t.set_tileLength();', undefined],
  ])('%s', (text, put) => expect(taken('smaller-tiles', text)).toBe(put))
  test('have one of two lengths', () => {
    const random = {...firstAndReversed, pick: <T>(items: readonly T[]) => items.at(-1) as T}
    expect(taken('smaller-tiles', 't.tileLen = n; t.tileRows = m;', random)).toBe(
      't.tileLen = n < 512 ? n : 512; t.tileRows = m < 2 ? m : 2;',
    )
  })
})
