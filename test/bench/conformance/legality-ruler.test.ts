import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {prebuilt as builtTwin} from '../../helpers/prebuilt.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {legalityTests} from './legality-ruler.ts'
import type {LegalityRun} from './legality-ruler.ts'

/** Tests of three calls in the vendor's terms: fills with and without room, from two tables, and a misplaced sum. */
const source = `#include <gtest/gtest.h>
#define private public
#include "nothing_of_ours.h"
using namespace AscendC;
struct OneFill { uint32_t halves; uint32_t count; TPosition where; bool legal; };
class Counted : public testing::Test, public testing::WithParamInterface<OneFill> {};
class Wrongly : public testing::Test, public testing::WithParamInterface<OneFill> {};
INSTANTIATE_TEST_CASE_P(COUNTED, Counted, ::testing::Values(
    OneFill{48, 48, TPosition::VECCALC, true}, OneFill{48, 49, TPosition::VECCALC, false},
    OneFill{48, 48, TPosition::A1, false}));
INSTANTIATE_TEST_CASE_P(WRONGLY, Wrongly, ::testing::Values(OneFill{16, 16, TPosition::VECCALC, false}));
inline bool Taken(const OneFill& fill) {
    check::VecDupApiParams parameters{0, 2u, fill.halves * 2, static_cast<uint8_t>(fill.where), fill.count};
    return check::TikcppVecDupCheck("vdup", parameters).CheckAllHighLevel();
}
TEST_P(Counted, Room)
{
    EXPECT_EQ(Taken(GetParam()), GetParam().legal);
}
TEST_P(Wrongly, Room)
{
    EXPECT_EQ(Taken(GetParam()), GetParam().legal);
    EXPECT_TRUE(true);
}
class Sums : public testing::Test {};
TEST_F(Sums, Unaligned)
{
    const auto ub = static_cast<uint8_t>(TPosition::VECCALC);
    check::VecBinaryApiParams parameters{0, 0, 16, 2u, 2u, 2u, 64, 64, 64, ub, ub, ub, 32};
    EXPECT_FALSE(check::TikcppVecBinaryCheck("test_intri", parameters).CheckAllHighLevel());
}
`

const root = await mkdtemp(join(tmpdir(), 'legality-ruler-'))
let run: LegalityRun
beforeAll(async () => {
  const folder = join(root, 'tests/ut/testcase')
  for (const name of ['tikcpp_api_check', 'other', 'scratch']) await mkdir(join(folder, name), {recursive: true})
  await writeFile(join(folder, 'tikcpp_api_check/test_own.cpp'), source)
  await writeFile(join(folder, 'other/test_more.cpp'), 'TEST_F(Printing, Lines)\n{\n    this is not read;\n}\n')
  const compiler = await chooseCompiler()
  const prebuilt = await builtTwin(compiler)
  await prebuilt.build({})
  run = await legalityTests(root, {compiler, prebuilt, scratch: join(folder, 'scratch')})
}, 300_000)
afterAll(() => rm(root, {recursive: true, force: true}))

test('counts tests of the checkout and those of the checker', () => {
  expect([run.written, run.checkers]).toEqual([4, 3])
})

test('each set of parameters of a suite is a test, of suites of one kind of parameters too', () => {
  expect(run.tests.map(({name, equal}) => [name, equal])).toEqual([
    ['Counted.Room/0', true],
    ['Counted.Room/1', true],
    ['Counted.Room/2', true],
    ['Wrongly.Room/0', false],
    ['Sums.Unaligned', true],
  ])
})

test('a call is told with its parameters and with what the twin says', () => {
  const [taken, short, misplaced] = run.tests.map(({calls}) => calls[0])
  expect(taken).toEqual({interface: 'vdup', parameters: '0,2,96,11,48', rule: '', message: ''})
  const message = 'dst of Duplicate covers bytes 0 to 98 of a buffer of 96 bytes'
  expect(short).toEqual({interface: 'vdup', parameters: '0,2,96,11,49', rule: 'out-of-buffer', message})
  expect([misplaced?.rule, run.tests[4]?.calls[0]?.rule]).toEqual(['wrong-position', 'unaligned-ub'])
})

test('a folder without the tests is refused', async () => {
  const place = {} as Parameters<typeof legalityTests>[1]
  await mkdir(join(root, 'empty/tests/ut/testcase'), {recursive: true})
  await expect(legalityTests(join(root, 'empty'), place)).rejects.toThrow('expected a checkout of asc-tools')
})
