import {expect, test} from 'vitest'
import {coresOf} from '../../../eval/executors/kernel-unit.ts'

test.each([
  ['vector', 'Add(z, x, y, 8);'],
  ['vector', '// Mmad(c, a, b, p);\nAdd(z, x, y, 8);'],
  ['cube', 'Mmad(c, a, b, p);'],
  ['mix12', 'if ASCEND_IS_AIV { Add(z, x, y, 8); } Mmad(c, a, b, p);'],
  ['cube', 'void operator()<AscendC::AIC>(P p) { Mmad(c, a, b, p); } constexpr bool v = AIV;'],
  ['mix12', 'void operator()<AIC>(P p) { Mmad(c, a, b, p); } void operator()<AIV>(P p) {}'],
  ['mix12', 'REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), matmul, &tiling);'],
  ['cube', '#define ASCENDC_CUBE_ONLY\nREGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), matmul, &tiling);'],
  ['vector', 'KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY); Mmad(c, a, b, p);'],
  ['mix12', 'ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIC_1_2), ASCENDC_TPL_BOOL_SEL(b, 0))'],
  ['mix11', 'KERNEL_TASK_TYPE(1, KERNEL_TYPE_MIX_AIC_1_1);'],
  ['mix12', 'KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); KERNEL_TASK_TYPE(2, KERNEL_TYPE_MIX_AIC_1_2);'],
])('a kernel runs on the cores %s: %s', (cores, text) => {
  expect(coresOf([text])).toBe(cores)
})
