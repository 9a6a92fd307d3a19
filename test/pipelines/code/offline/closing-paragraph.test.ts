import {describe, expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {closingParagraph} from '../../../../pipelines/code/offline/closing-paragraph.ts'
import {kernelOf} from '../../../helpers/told-parts.ts'

const kernelWith = (members: string, work: string) => `#include "kernel_operator.h"
using namespace AscendC;
class Fold {
public:
    __aicore__ inline void Process() {
        ${work}
    }
private:
    TPipe pipe;
    ${members}
};
extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR y) { Fold op; op.Process(); }
`
const closingOf = async (members: string, work: string) =>
  closingParagraph(await kernelOf(kernelWith(members, work)), voice('en', randomFrom('parts')))

const alloc = 'LocalTensor<float> a = in.AllocTensor<float>();'
const free = 'in.FreeTensor(a);'
const queue = 'TQue<QuePosition::VECIN, 1> in;'

describe('what to watch in the end', () => {
  test('is the pair of allocating and freeing, where a kernel has both', async () => {
    expect(await closingOf(queue, `${alloc} ${free}`)).toMatch(/every `AllocTensor` must meet its `FreeTensor`/)
    expect((await closingOf(queue, alloc)) ?? '').not.toContain('AllocTensor')
    expect((await closingOf(queue, `LocalTensor<float> a; ${free}`)) ?? '').not.toContain('AllocTensor')
  })
})
