import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {hostFacts} from '../../../pipelines/facts/host-facts.ts'
import {hostReasoning} from '../../../pipelines/code/offline/host-reasoning.ts'
import {hostRequest} from '../../../pipelines/code/offline/host-request.ts'
import {voice} from '../../../datasets/voice.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

type Given = Partial<Pick<CheckedOperatorSource, 'dependencies' | 'target'>>

async function told(text: string, given: Given = {}): Promise<{request: string; reasoning: string}> {
  const target = {path: 'op_host/a_tiling.cpp', text}
  const changed = {...source, side: 'host' as const, role: 'tiling' as const, dependencies: [], target, ...given}
  const [facts, speaker] = [await hostFacts(changed), voice('en', randomFrom('host claims'))]
  return {request: hostRequest(changed, facts, speaker), reasoning: hostReasoning(changed, facts, speaker)}
}

const inTiling = (body: string) => `static ge::graphStatus Tile(gert::TilingContext* context)\n{\n${body}\n}\n`

test('a size is told with the condition on which it is computed, and with its reason', async () => {
  const {reasoning} = await told(
    inTiling(`if (small) { coreNum = CeilDiv(blocks, 8); }
      // every core gets whole blocks
      perCore = blocks / coreNum;
      switch (dtype) { case ge::DT_FLOAT: elems = 32 / 4; break; default: elems = 32 / 2; }`),
  )
  expect(reasoning).toContain('where `small` holds: `coreNum = CeilDiv(blocks, 8)`')
  expect(reasoning).toContain('after that: `perCore = blocks / coreNum` (every core gets whole blocks)')
  expect(reasoning).toContain('where `dtype` is `ge::DT_FLOAT`: `elems = 32 / 4`')
})

test('a choice between numbers is a size, one between pointers or flags is none', async () => {
  const {reasoning} = await told(
    inTiling(`buffers = bytes == 1 ? 5 : 3;
      name = given != nullptr ? given : other;
      isFast = n % 8 == 0 && m > 2;`),
  )
  expect(reasoning).toContain('`buffers = bytes == 1 ? 5 : 3`')
  expect(reasoning).not.toMatch(/`name = |`isFast = /)
  const others = await told(inTiling('rows = n / 8; userWorkspace = n * 4; dtypeCase = mode == 1 ? 5 : 3;'))
  expect(others.reasoning).toContain('`rows = n / 8`')
  expect(others.reasoning).not.toMatch(/`userWorkspace = |`dtypeCase = /)
})

test('a remainder is one that a rest takes, and functions beyond the sixth are named', async () => {
  const size = (name: string) => `int64_t ${name}(int64_t n) { int64_t part = n / 8; return part; }\n`
  const many = await told(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map(size).join(''))
  expect(many.reasoning).toContain('Further sizes are computed in `G` and `H`.')
  expect((await told(inTiling('group = n % 8;'))).reasoning).not.toContain('The remainder is kept apart')
  expect((await told(inTiling('tailRows = n % 8;'))).reasoning).toContain('The remainder is kept apart')
})

test('what the unified buffer makes of a size is told where nothing else decides', async () => {
  const asks = 'platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);'
  const fixed = await told(inTiling(`${asks} blocks = ubSize / 32 / 2; perType = ubSize / typeBytes;`))
  expect(fixed.reasoning).toContain('196608 bytes (192 KB)')
  expect(fixed.reasoning).toContain('`blocks = ubSize / 32 / 2` gives 3068.')
  expect(fixed.reasoning).not.toMatch(/perType[^.]* gives/)
  const changed = await told(inTiling(`${asks} ubSize = ubSize - 8192; blocks = ubSize / 32 / 2;`))
  expect(changed.reasoning).not.toContain('gives 3072')
  const unsure = [
    'if (m) { blocks = ubSize / 32; }',
    'for (int i = 0; i < m; i++) { blocks = ubSize / 32; }',
    'blocks = ubSize / 32; blocks = ubSize / 64;',
  ]
  for (const body of unsure) {
    const {reasoning} = await told(inTiling(`${asks} ${body}`))
    expect(reasoning).toContain('`blocks = ubSize / 32`')
    expect(reasoning).not.toMatch(/gives \d/)
  }
  const cube = await told(inTiling('platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1);'))
  expect(cube.reasoning).toContain('the size of L1')
  expect(cube.reasoning).not.toContain('unified buffer')
})

test('launch values that differ by case are told with the case', async () => {
  const {request, reasoning} = await told(
    inTiling(`size_t* workspaces = context->GetWorkspaceSizes(1);
      if (n == 0) { context->SetBlockDim(1); }
      context->SetBlockDim(cores);
      if (dtype == ge::DT_FLOAT) { key = KEY_A; } else if (dtype == ge::DT_BF16) { key = KEY_B; }
      context->SetTilingKey(key);
      workspaces[0] = 64;`),
  )
  expect(reasoning).toContain('where `n == 0` holds: `context->SetBlockDim(1)`')
  expect(reasoning).toContain('where `dtype == ge::DT_BF16` holds: `key = KEY_B`')
  expect(reasoning).not.toContain('`dtype == ge::DT_FLOAT` does not hold')
  expect(reasoning).toContain('The workspace is `64` bytes.')
  expect(request).toContain('Choose the tiling key')
})

test('a key that never changes is told by its value, and asks for no choice', async () => {
  const {request, reasoning} = await told(inTiling('uint64_t key = 0; key = KEY_A; context->SetTilingKey(key);'))
  expect(reasoning).toContain('The tiling key is `KEY_A` in every case.')
  expect(request).not.toContain('Choose the tiling key')
})

test('only what ends in a failure is a refusal', async () => {
  const {reasoning} = await told(
    inTiling(`OP_CHECK_IF(n == 0, OP_LOGE(context, "n is 0"), return);
      OP_CHECK_IF(m == 0, OP_LOGE(context, "m is 0"), return ge::GRAPH_FAILED);
      OP_CHECK_IF(Other(context) != ge::GRAPH_SUCCESS, OP_LOGE(context, "failed"), return ge::GRAPH_FAILED);
      if (k > 8) { if (isOld) { return ge::GRAPH_FAILED; } }`),
  )
  expect(reasoning).toContain('`m == 0`, `isOld` (where `k > 8` holds) lead to `GRAPH_FAILED`')
  expect(reasoning).not.toMatch(/`n == 0`|Other\(/)
})

test('the structure is the one whose fields are set, and a field of its own name needs no formula', async () => {
  const structure = (name: string, fields: string[]) =>
    [
      `BEGIN_TILING_DATA_DEF(${name})`,
      ...fields.map((field) => `TILING_DATA_FIELD_DEF(int64_t, ${field});`),
      'END_TILING_DATA_DEF;',
    ].join('\n')
  const text = [structure('OldTilingData', ['rows']), structure('NewTilingData', ['a', 'b', 'c', 'rest'])].join('\n')
  const header = {path: 'op_host/a_tiling.h', text}
  const sets = inTiling(
    'td.set_a(static_cast<int64_t>(a)); td.set_b(info.b); td.set_c(c); td.set_rest(total - a); context->SetBlockDim(a);',
  )
  const {reasoning} = await told(`#include "a_tiling.h"\n${sets}`, {dependencies: [header]})
  expect(reasoning).toContain('The values travel in `NewTilingData`, whose fields are `a`, `b`, `c` and `rest`.')
  expect(reasoning).toContain('`rest = total - a`')
  expect(reasoning).toContain('`a`, `b` and `c` take the variables of the same name.')
  expect(reasoning).not.toContain('OldTilingData')
  const alone = await told(text, {target: header})
  expect(alone.reasoning).toContain('`OldTilingData` carries the fields `rows`')
  expect(alone.reasoning).not.toContain('decides how')
  expect(alone.request).toContain('`NewTilingData` (`int64_t a`, `int64_t b`')
})

test('only files that the target itself includes are said to be included', async () => {
  const dependencies = [
    {path: '../../common/inc/base.h', text: '#pragma once\n'},
    {path: '../../common/inc/registry.h', text: '#include "base.h"\n'},
  ]
  const {reasoning} = await told(`#include "op_host/registry.h"\n${inTiling('n = a / b;')}`, {dependencies})
  expect(reasoning).toContain('`../../common/inc/registry.h` is given')
  expect(reasoning).not.toContain('base.h')
})

test('attributes and inputs are told by number, also where a constant stands for it', async () => {
  const {reasoning} = await told(
    `constexpr uint32_t SECOND = 1;\n${inTiling(`auto desc = context->GetInputDesc(SECOND);
      auto type = desc->GetDataType();
      auto eps = attrs->GetAttrPointer<float>(SECOND);
      auto flag = attrs->GetAttrPointer<bool>(idx++);`)}`,
  )
  expect(reasoning).toContain('The type comes from input 1.')
  expect(reasoning).toContain('1 (`float`) as `eps`')
  expect(reasoning).not.toContain('idx++')
})

test('a key that an expression or a field gives is not called the same in every case', async () => {
  const looked = await told(inTiling('context->SetTilingKey(table[idx]);'))
  expect(looked.reasoning).toContain('The tiling key is computed as `table[idx]`')
  const field = await told(
    inTiling(
      'if (small) { data.set_key(KEY_A); } else { data.set_key(KEY_B); } context->SetTilingKey(data.get_key());',
    ),
  )
  expect(field.reasoning).toContain('where `small` does not hold: `data.set_key(KEY_B)`')
  expect(field.reasoning).not.toMatch(/in every case|computed as/)
  const fixed = await told(inTiling('context->SetTilingKey(KEY_A);'))
  expect(fixed.reasoning).toContain('`KEY_A` in every case')
})

test('both arms of a size are told, and the bound that a function gives back', async () => {
  const {reasoning} = await told(
    `int64_t Cores(int64_t n, int64_t most)
     {
       int64_t cores = CeilDiv(n, 64);
       if (isReduce) { cores = 1; }
       if (cores >= most) { return most; }
       return cores;
     }`,
  )
  expect(reasoning).toContain('where `isReduce` holds: `cores = 1`')
  expect(reasoning).toContain('where `cores >= most` holds: it returns `most`')
})

test('only cores that are bounded by the cores of the chip are said to be', async () => {
  const bound = await told(inTiling('blockNum = std::min(blocks, static_cast<int64_t>(coreNum));'))
  expect(bound.reasoning).toContain('keeps `blockNum` within the cores')
  const other = await told(inTiling('threads = std::min(count, most); perCore = std::min(tile, lengthPerCore);'))
  expect(other.reasoning).not.toContain('within the cores')
  const share = await told(inTiling('coreTiles = std::min(tilesPerCore, coreNum);'))
  expect(share.reasoning).not.toContain('within the cores')
})

test('a reserve is one that is taken off, and how many buffers there are is no matter of comments', async () => {
  const taken = 'constexpr int64_t RESERVED = 512;\n'
  expect((await told(taken + inTiling(`${asked} left = ubSize - RESERVED;`))).reasoning).toContain('`RESERVED = 512`')
  const {reasoning} = await told(`${taken}${inTiling(`${asked}\n// double buffer, halves\nleft = ubSize / COUNT;`)}`)
  expect(reasoning).not.toContain('in reserve')
  expect(reasoning).not.toContain('double buffer')
})

test('of an input only what is looked at is said to come from it', async () => {
  const {reasoning} = await told(
    inTiling(`auto shape = context->GetInputShape(0);
      n = shape->GetStorageShape().GetShapeSize();
      m = context->GetInputTensor(1)->GetShapeSize();
      auto type = context->GetInputDesc(0)->GetDataType();
      auto bias = context->GetOptionalInputTensor(2);
      hasBias = bias != nullptr;
      hasScale = context->GetOptionalInputShape(3) != nullptr;
      total = n * m;`),
  )
  expect(reasoning).toContain('The shape comes from inputs 0 and 1. The type comes from input 0.')
  expect(reasoning).toContain('Of inputs 2 and 3 it only asks whether there is one.')
  const both = await told(
    inTiling('n = x->GetInputTensor(0)->GetShapeSize() * 2; t = x->GetInputDesc(0)->GetDataType();'),
  )
  expect(both.reasoning).toContain('Shape and type come from input 0.')
})

test('that a pointer is there makes no case of the launch', async () => {
  const {reasoning} = await told(
    inTiling(`size_t* workspaces = context->GetWorkspaceSizes(1);
      if (workspaces != nullptr) { workspaces[0] = 64; }
      context->SetBlockDim(cores);`),
  )
  expect(reasoning).toContain('The workspace is `64` bytes.')
  expect(reasoning).not.toContain('depends on the case')
})

test('a number is a size whatever it is chosen by, and a cast of a variable is no formula', async () => {
  const {request, reasoning} = await told(
    `struct ATilingData { uint32_t a; uint32_t b; uint32_t c; uint32_t shape[4]; };\n${inTiling(`
      parts = context->GetInputDesc(0)->GetDataType() == ge::DT_BF16 ? 3 : 2;
      type = wide ? DT_FLOAT : DT_BF16;
      tiling->a = (uint32_t)a; tiling->b = (uint32_t)b; tiling->c = (uint32_t)c; tiling->shape[0] = n / 8;`)}`,
  )
  expect(reasoning).toContain('== ge::DT_BF16 ? 3 : 2`')
  expect(reasoning).not.toContain('`type = ')
  expect(reasoning).toContain('`a`, `b` and `c` take the variables of the same name.')
  expect(reasoning).not.toContain('`shape = ')
  expect(request).toContain('fills `a`, `b`, `c` and `shape`')
})

test('a size that the platform fills is told where it is filled', async () => {
  const {reasoning} = await told(inTiling(`ubSize = 0; ${asked} ubSize -= RESERVED; tile = ubSize / 32;`))
  expect(reasoning).toContain(
    '`ubSize = 0`, then `platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize)`, then',
  )
})

test('a function that only gives back a constant is no part of the work', async () => {
  const stub = 'ge::graphStatus Parse(gert::TilingParseContext* context)\n{\n\n  return ge::GRAPH_SUCCESS;\n}\n'
  const more = 'void Size(int n)\n{\n  count = n / 8;\n\n}\n'
  expect((await told(`${stub}${more}${inTiling('context->SetBlockDim(1);')}`)).reasoning).toContain(
    'I divide the work into `Size` and `Tile`.',
  )
  expect((await told(`${stub}${inTiling('context->SetBlockDim(1);')}`)).reasoning).not.toContain('I divide')
  expect((await told(stub)).request).not.toContain('Parse')
})

test('a condition before a loop is told before it, one in it after it', async () => {
  const {reasoning} = await told(
    inTiling('if (given) { for (int i = 0; i < n; i++) { total += i * 8; if (i > 2) { rest = i / 8; } } }'),
  )
  expect(reasoning).toContain('where `given` holds, in `for (int i = 0; i < n; i++)`: `total += i * 8`')
  expect(reasoning).toContain('in `for (int i = 0; i < n; i++)`, where `i > 2` holds: `rest = i / 8`')
})

test('sizes beyond those that are told have a name, and constants are those of the text', async () => {
  const steps = Array.from({length: 18}, (_, index) => `size${index} = n / ${index < 16 ? 'EIGHT' : 'NINE'};`)
  const {reasoning} = await told(
    `constexpr int EIGHT = 8;\nconstexpr int NINE = 9;\n${inTiling(`${steps.join('\n')} all = std::min(n, m);`)}`,
  )
  expect(reasoning).toContain('; further on it gives `size16`, `size17` and `all` a value.')
  expect(reasoning).not.toContain('calls `min`')
  expect(reasoning).toContain('Here `EIGHT = 8`.')
})

const asked = 'platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);'
