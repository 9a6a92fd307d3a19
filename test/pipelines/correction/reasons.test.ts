import {expect, test} from 'vitest'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {editsBetween} from '../../../pipelines/correction/edits.ts'
import {reasonFor} from '../../../pipelines/correction/offline/step-reasons.ts'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import type {FailureFacts} from '../../../pipelines/correction/failure-facts.ts'
import {explain, type Fault} from '../../../pipelines/correction/offline/explanation.ts'

const around = [
  'TQue<QuePosition::VECIN, 1> inQueue_;',
  'TQue<QuePosition::VECOUT, 1> outQueue_;',
  'TBuf<QuePosition::VECCALC> buf_;',
  'GlobalTensor<T> xGm_;',
  'void Run(uint32_t start, uint32_t count) {',
  '  LocalTensor<T> x = inQueue_.DeQue<T>();',
  '  LocalTensor<T> y = outQueue_.AllocTensor<T>();',
  '  HERE',
  '  outQueue_.EnQue(y);',
  '  inQueue_.FreeTensor(x);',
  '}',
]
const path = 'op_kernel/k.cpp'
const file = (here: string) => [{path, text: around.join('\n').replace('HERE', () => here)}]

const parameters = (...names: string[]) => names.map((name) => ({name, type: 'T'}))
const entry = (name: string, names: string[], fields: string[] = []) =>
  ({
    name,
    prototypes: [{text: '', returns: '', templates: [], parameters: parameters(...names)}],
    parameters: fields.map((field) => {
      const structure = /padd/i.test(field) || field === 'isPad' ? 'DataCopyPadExtParams' : 'DataCopyExtParams'
      return {names: [field], structure}
    }),
  }) as unknown as ApiEntry
const fields = [
  'blockCount',
  'blockLen',
  'srcStride',
  'dstStride',
  'rsv',
  'isPad',
  'leftPadding',
  'rightPadding',
  'paddingValue',
]
const apis = new Map(
  [
    entry('Adds', ['dst', 'src', 'scalarValue', 'count']),
    entry('DataCopyPad', ['dst', 'src', 'dataCopyParams'], fields),
    {
      name: 'DataCopy',
      prototypes: [],
      parameters: [{names: ['blockCount', 'blockLen', 'srcStride', 'dstStride'], structure: 'DataCopyParams'}],
    } as unknown as ApiEntry,
  ].map((one) => [one.name, one]),
)

function told(failed: string, right: string, {errors = [] as string[], log = '', language = 'en' as 'en' | 'zh'} = {}) {
  const scene = {voice: voice(language, randomFrom('r')), apis, failed: file(failed), right: file(right), errors, log}
  const reasons = editsBetween(scene.failed, scene.right).map((edit) => reasonFor(edit, scene))
  return reasons.map((reason) => (reason ? `${reason.fault} ${reason.why}` : 'nothing'))
}

const missing = (name: string) => ({errors: [`use of undeclared identifier '${name}'`]})

test.each<[string, string, string, RegExp, {errors?: string[]; log?: string}?]>([
  [
    'an argument too many',
    'Adds(y, x, 1, count, 0);',
    'Adds(y, x, 1, count);',
    /one argument too many: `0`\. It takes `dst` \(here `y`\).*`scalarValue` \(here `1`\)/,
  ],
  [
    'a tensor twice',
    'Adds(y, x, x, 1, count);',
    'Adds(y, x, 1, count);',
    /`x`\. It stands in the call once too often\./,
  ],
  ['an argument missing', 'Adds(y, x, count);', 'Adds(y, x, 1, count);', /without argument 3 \(`scalarValue`\), `1`/],
  ['several missing', 'DataCopyPad(xGm_[0]);', 'DataCopyPad(xGm_[0], y, p);', /without `y` and `p`/],
  [
    'an argument in front',
    'Adds(count, y, x, 1);',
    'Adds(y, x, 1, count);',
    /`count` is argument 1 and has to be argument 4 \(`count`\)/,
  ],
  [
    'sides of a copy swapped',
    'DataCopyPad(y, xGm_[0], p);',
    'DataCopyPad(xGm_[0], y, p);',
    /Destination and source of `DataCopyPad` are swapped/,
  ],
  ['a list', 'Mul(y, {x, x}, count);', 'Mul(y, x, x, count);', /into one list, `\{x, x\}`/],
  ['an address', 'Adds(&y, x, 1, count);', 'Adds(y, x, 1, count);', /the address `&y` as argument 1 \(`dst`\)/],
  [
    'a queue',
    'Adds(outQueue_, x, 1, count);',
    'Adds(y, x, 1, count);',
    /`outQueue_`, a queue, as argument 1 \(`dst`\).*only hands tensors on/,
  ],
  ['global memory', 'Adds(y, xGm_, 1, count);', 'Adds(y, x, 1, count);', /a tensor in global memory, as argument 2/],
  [
    'repeats without strides',
    'Adds(y, x, 1, 128, 4);',
    'Adds(y, x, 1, count);',
    /a mask, `128`, and repeat times, `4`, without strides/,
  ],
  [
    'names from the compiler',
    'F(y, count);',
    'F(y, x, count);',
    /without argument 2 \(`from`\)/,
    {log: 'void F(const LocalTensor<T>& to, const LocalTensor<T>& from, int32_t n) {'},
  ],
  [
    'bytes for elements',
    'DataCopyPad(xGm_[(start) * sizeof(T)], y, p);',
    'DataCopyPad(xGm_[start], y, p);',
    /`\(start\) \* sizeof\(T\)` counts bytes/,
  ],
  ['an offset', 'DataCopyPad(xGm_[start + 1], y, p);', 'DataCopyPad(xGm_[start], y, p);', /off its place by `1`/],
  [
    'the start for each piece',
    'DataCopyPad(xGm_[0], y, p);',
    'DataCopyPad(xGm_[start], y, p);',
    /the access is always at its start\. `start` says where/,
  ],
  [
    'a part of a tensor',
    'Adds(y, x[8], 1, count);',
    'Adds(y, x, 1, count);',
    /begins 8 elements behind the start of `x`/,
  ],
  ['half a count', 'Adds(y, x, 1, (count) / 2);', 'Adds(y, x, 1, count);', /fewer than the `count`/],
  ['too large a count', 'Adds(y, x, 1, count + 8192);', 'Adds(y, x, 1, count);', /more than the `count`/],
  ['a longer length', 'Adds(y, x, 1, 8);', 'Adds(y, x, 1, 4);', /more than the `4`/],
  ['a sign', 'Adds(y, x, -s, count);', 'Adds(y, x, s, count);', /the sign is wrong\. `Adds` writes `x \+ s` into `y`/],
  [
    'blocks for bytes',
    'DataCopyExtParams p{1, uint32_t((count * sizeof(T)) / 32), 0, 0, 0};',
    'DataCopyExtParams p{1, uint32_t(count * sizeof(T)), 0, 0, 0};',
    /`blockLen` is .* blocks of 32 bytes are the unit of DataCopyParams/,
  ],
  [
    'elements for bytes',
    'DataCopyExtParams p{1, uint32_t(count), 0, 0, 0};',
    'DataCopyExtParams p{1, uint32_t(count * sizeof(T)), 0, 0, 0};',
    /counts bytes, not elements/,
  ],
  [
    'no bytes',
    'DataCopyExtParams p{1, 0, 0, 0, 0};',
    'DataCopyExtParams p{1, uint32_t(count * sizeof(T)), 0, 0, 0};',
    /no bytes is not moved/,
  ],
  [
    'a stride',
    'DataCopyExtParams p{1, 8, 0, 1, 0};',
    'DataCopyExtParams p{1, 8, 0, 0, 0};',
    /`dstStride` is `1`.*lie without a gap/,
  ],
  [
    'no stride',
    'DataCopyExtParams p{1, 8, 0, 0, 0};',
    'DataCopyExtParams p{1, 8, 0, gap, 0};',
    /`dstStride` is `0`.*`gap` is left between them/,
  ],
  [
    'padding',
    'DataCopyPadExtParams<T> p{true, 0, 64, 0};',
    'DataCopyPadExtParams<T> p{false, 0, 0, 0};',
    /`isPad` is `true`.*`rightPadding` is `64`.*needs none of its own/,
  ],
  [
    'a share',
    'xGm_.SetGlobalBuffer(a + start + 1, count);',
    'xGm_.SetGlobalBuffer(a + start, count);',
    /begins behind the start of the core's share, by `1`/,
  ],
  [
    'a whole tensor',
    'xGm_.SetGlobalBuffer(a + 1, count);',
    'xGm_.SetGlobalBuffer(a, count);',
    /begins behind the start of its memory, by `1`/,
  ],
  [
    'cores',
    'context->SetBlockDim(1);',
    'context->SetBlockDim(cores);',
    /`1` cores are launched, not `cores`.*no core takes stays undone/,
  ],
  [
    'a core too many',
    'context->SetBlockDim(a + b + 1);',
    'context->SetBlockDim(a + b);',
    /`a \+ b \+ 1` cores are launched.*without a share may work behind the data/,
  ],
  [
    'a turn too few',
    'for (int i = 0; i + 1 < n; ++i) {}',
    'for (int i = 0; i < n; ++i) {}',
    /What its last turn works on/,
  ],
  [
    'bytes of a buffer',
    'pipe.InitBuffer(buf_, (n) / 2);',
    'pipe.InitBuffer(buf_, n);',
    /`\(n\) \/ 2` bytes, fewer than `n`/,
  ],
  ['no buffers', 'pipe.InitBuffer(inQueue_, 0, n);', 'pipe.InitBuffer(inQueue_, 1, n);', /set up with `0` buffers/],
  [
    'the buffer object',
    't.SaveToBuffer(c->Raw(), 8);',
    't.SaveToBuffer(c->Raw()->GetData(), 8);',
    /the buffer object `c->Raw\(\)` itself/,
  ],
  [
    'a rounding',
    'Cast(y, x, RoundMode::CAST_ODD, count);',
    'Cast(y, x, RoundMode::CAST_NONE, count);',
    /which this conversion does not have/,
  ],
  ['a loop', 'for (int i = 0; i <= n; ++i) {}', 'for (int i = 0; i < n; ++i) {}', /one turn too many/],
  ['a condition', 'if (start < count) { }', 'if (start >= count) { }', /the opposite of what is meant/],
  ['the first core', 'if (n == 0 || GetBlockIdx() == 0) { }', 'if (n == 0) { }', /The first core returns here/],
  [
    'the last piece',
    'uint32_t n = tile;',
    'uint32_t n = rest < tile ? rest : tile;',
    /`n` is always `tile`.*Where `rest < tile`/,
  ],
  ['rounding down', 'uint32_t n = count / 8;', 'uint32_t n = (count + 8 - 1) / 8;', /`count \/ 8` rounds down/],
  ['a member mark', 'inQueue_->FreeTensor(y);', 'inQueue_.FreeTensor(y);', /`inQueue_` is an object/],
  ['a missing qualifier', 'Sync<S_V>();', 'Sync<HardEvent::S_V>();', /`S_V` is written without `HardEvent`/],
  ['an accessor', 'n_ = tiling.get_n();', 'n_ = tiling.n;', /an accessor of the host's class/],
  [
    'a name that is not there',
    'Cast(y, x, RoundMode::NONE_MODE, count);',
    'Cast(y, x, RoundMode::CAST_NONE, count);',
    /There is no `NONE_MODE` in `RoundMode`/,
    {errors: ["no member named 'NONE_MODE' in 'RoundMode'"]},
  ],
  [
    'a function that is not there',
    'AscendC::Plus(y, x, s, count);',
    'Adds(y, x, s, count);',
    /AscendC has no function `Plus`.*`Adds` writes `x \+ s`/,
    {errors: ["no member named 'Plus' in namespace 'AscendC'"]},
  ],
  [
    'a namespace that is not there',
    'AscendC::vec::Adds(y, x, s, count);',
    'Adds(y, x, s, count);',
    /no such namespace/,
  ],
  ['a result returned', 'y = Adds(x, 1, count);', 'Adds(y, x, 1, count);', /as if it returned `y`/],
  ['an address assigned', 'xGm_ = a + b;', 'xGm_.SetGlobalBuffer(a + b, n);', /A GlobalTensor is no pointer/],
  ['an operator', 'y += x;', 'Add(y, y, x, count);', /`\+=` is used on the tensor `y`/],
  [
    'AllocTensor for DeQue',
    'auto z = inQueue_.AllocTensor<T>();',
    'auto z = inQueue_.DeQue<T>();',
    /where the filled one is wanted/,
  ],
  ['another queue', 'inQueue_.FreeTensor(y);', 'outQueue_.FreeTensor(y);', /it is a tensor of `outQueue_`\. Line 7/],
  [
    'scalar writes',
    'xGm_.SetValue(0, y.GetValue(0));',
    'DataCopyPad(xGm_[start], y, p);',
    /writes single elements of `xGm_`/,
  ],
  [
    'a plain copy with other parameters',
    'DataCopyExtParams p{1, 8, 0, 0, 0}; DataCopy(xGm_[start], y, p);',
    'DataCopyExtParams p{1, 8, 0, 0, 0}; DataCopyPad(xGm_[start], y, p);',
    /`DataCopy` is given `p`, values for the parameters of `DataCopyPad`/,
  ],
  [
    'a plain copy with a list',
    'DataCopy(xGm_[start], y, {1, 32, 0, 0, 0});',
    'DataCopyPad(xGm_[start], y, p);',
    /given `\{1, 32, 0, 0, 0\}`, values.*goes by bytes, with `p`/,
  ],
  [
    'a piece that is copied out twice',
    'DataCopy(xGm_[start], y, 8); DataCopy(xGm_[0], y, 8);',
    'DataCopy(xGm_[start], y, 8);',
    /copies `y` out a second time, to another place of `xGm_`\. Line 8 copies it to its place/,
  ],
  ['a plain copy', 'DataCopy(y, xGm_[start], 8);', 'DataCopyPad(y, xGm_[start], p, q);', /moves 8 elements, whatever/],
  [
    'the type of a tensor',
    'LocalTensor<half> z = buf_.Get<float>();',
    'LocalTensor<float> z = buf_.Get<float>();',
    /declared as a tensor of `half`/,
  ],
  ['a pointer', 'TBuf<QuePosition::VECCALC>* b;', 'TBuf<QuePosition::VECCALC> b;', /`b` is declared as a pointer/],
  ['mixed signs', 'n = std::max(1, c);', 'n = std::max(1u, c);', /`1`, an `int`/],
  [
    'a float',
    'uint32_t n = static_cast<uint32_t>(static_cast<float>(a / b));',
    'uint32_t n = a / b;',
    /goes through a float/,
  ],
  [
    'a queue of the other side',
    'TQue<QuePosition::VECOUT, 1> q;',
    'TQue<QuePosition::VECIN, 1> q;',
    /nothing waits for the copy in/,
  ],
  ['a second pipe', 'TPipe p;', '', /second TPipe/],
  ['a flag alone', 'WaitFlag<HardEvent::V_S>(0); inQueue_.DeQue<T>();', 'inQueue_.DeQue<T>();', /queues, whose DeQue/],
  [
    'a flag alone beside others',
    'WaitFlag<HardEvent::V_S>(0); SetFlag<E>(1); WaitFlag<E>(1);',
    'SetFlag<E>(1); WaitFlag<E>(1);',
    /has no SetFlag\. Nothing sets that event, so the wait never ends\.$/,
  ],
  ['a core that waits', 'CrossCoreWaitFlag(3);', '', /has no CrossCoreSetFlag.*works on a part of its own/],
  [
    'a core that waits where they meet',
    'CrossCoreWaitFlag(3); SyncAll();',
    'SyncAll();',
    /has no CrossCoreSetFlag.*the wait never ends\.$/,
  ],
  [
    'a result that is computed later as well',
    'Muls(x, y, 3, count); Adds(y, x, 1, count);',
    'Adds(y, x, 1, count); Muls(x, y, 3, count); Adds(y, x, 1, count);',
    /Nothing computes `y` before line 8: `Adds` is missing/,
  ],
  [
    'a second step',
    'Exp(y, x, count);\nf(y);',
    'Exp(y, x, count);\nAdds(y, x, 1, count);\nf(y);',
    /^The step `Adds\(y, x, 1, count\)` is missing/,
  ],
  [
    'the type of a value with a size of floats in it',
    'ge::DataType n = (uint64_t)(a) * sizeof(float);',
    'uint64_t n = (uint64_t)(a) * sizeof(float);',
    /`n` is declared as `ge::DataType`/,
  ],
  [
    'a name of another place',
    'uint32_t tile = 8;\nAdds(y, x, start, lines);\n} void Other() { uint32_t lines = 0;',
    'uint32_t tile = 8;\nAdds(y, x, start, tile);\n} void Other() { uint32_t lines = 0;',
    /`lines` is declared in line 10 of .*, and not where it is used here\. `tile` is: line 8/,
    missing('lines'),
  ],
  [
    'a member that is not there',
    'pipe.InitBuf(buf_, n);',
    'pipe.InitBuffer(buf_, n);',
    /`AscendC::TPipe` has no member `InitBuf`\. The member is called `InitBuffer`/,
    {errors: ["no member named 'InitBuf' in 'AscendC::TPipe'"]},
  ],
  ['the type of the build', 'K<T> op;', 'K<DTYPE_X> op;', /`DTYPE_X`, a macro of the build/, missing('T')],
  ['an atomic mode', 'SetAtomicAdd<float>();', '', /atomic add on `float`/],
  ['freed twice', 'inQueue_.FreeTensor(z); inQueue_.FreeTensor(z);', 'inQueue_.FreeTensor(z);', /called twice for `z`/],
  ['no FreeTensor', '', 'inQueue_.FreeTensor(z);', /`z` is taken from `inQueue_` and never given back/],
  ['no result', '', 'Adds(y, x, 1, count);', /Nothing computes `y`.*Line 9, `outQueue_\.EnQue\(y\);`, goes on with it/],
  ['no declaration', 'n += 1;', 'uint32_t n = 0; n += 1;', /`n` is used in line 8 and declared nowhere/],
  [
    'no declaration where a structure has the name',
    'n += 1;\n} struct P { uint32_t n;',
    'uint32_t n = 0;\nn += 1;\n} struct P { uint32_t n;',
    /`n` is used in line 8 and not declared for it\. What has/,
  ],
  [
    'no declaration, by the line that the compiler names',
    'f(n);\n} void Other() { n += 1;',
    'f(n);\n} void Other() { uint32_t n = 0; n += 1;',
    /`n` is used in line 9 and declared nowhere/,
    {log: "op_kernel/k.cpp:9:12: error: use of undeclared identifier 'n'"},
  ],
  [
    'a tensor freed in its queue',
    'midQueue_.EnQue(z); midQueue_.FreeTensor(z);',
    'midQueue_.EnQue(z);',
    /`z` is given back to `midQueue_` while it stands in that queue\. Line 8 puts it in/,
  ],
  [
    'a buffer of another queue',
    'auto z = inQueue_.AllocTensor<T>();',
    'auto z = midQueue_.AllocTensor<T>();',
    /Nothing else allocates from `midQueue_`, and a buffer of `inQueue_`/,
  ],
  ['tiling not saved', '', 't.SaveToBuffer(a, b);', /never written into the buffer/],
  ['a field not set', '', 't.set_length(n);', /The field `length` of `t` is never set/],
  ['a semicolon', 'int a', 'int a;', /`;` is missing behind/],
  ['a bracket', 'Adds(y, x, 1, count;', 'Adds(y, x, 1, count);', /`\)` is missing behind `Adds\(y, x, 1, count`/],
  ['a brace', 'if (a) { b();', 'if (a) { b(); }', /It closes `if \(a\) \{`/],
  [
    'a wait before its set',
    'WaitFlag<E>(0); b(); SetFlag<E>(0);',
    'SetFlag<E>(0); WaitFlag<E>(0); b();',
    /stands before `SetFlag<E>\(0\);`/,
  ],
  [
    'a block of its own',
    'for (int i = 0; i < 1; ++i) { uint32_t n = 0; } n += 1;',
    'uint32_t n = 0; n += 1;',
    /`n` is declared inside of the block.*has to stand outside\.$/,
    missing('n'),
  ],
])('%s', (_, failed, right, expected, given) => {
  expect(told(failed, right, given).join(' | ')).toMatch(expected)
})

test.each<[string, string, string, {errors?: string[]}?]>([
  ['a constant of its own', 'int a = 1;', 'int a = 2;'],
  ['another tensor', 'Adds(y, x, 1, count);', 'Adds(x, x, 1, count);'],
  ['a flag that has its partner', 'SetFlag<E>(0); WaitFlag<E>(0);', 'SetFlag<E>(0);'],
  [
    'a name that the compiler does not miss',
    'auto z = inQueue_.DeQue<uint8_t>();',
    'auto z = inQueue_.DeQue<T>();',
    missing('other'),
  ],
  [
    'a copy of what no queue hands on',
    'DataCopy(xGm_[start], y, 8); DataCopy(xGm_[0], x, 8);',
    'DataCopy(xGm_[start], y, 8);',
  ],
  ['a choice that is none of the last piece', 'n_ = wide;', 'n_ = isHalf_ ? half : wide;'],
  ['one atomic mode of several', 'SetAtomicAdd<T>(); SetAtomicMax<T>();', 'SetAtomicMax<T>();'],
  ['a stride of whole blocks', 'DataCopyParams p{1, 8, 0, 1};', 'DataCopyParams p{1, 8, 0, 0};'],
  [
    'a documented function that is not there',
    'DataCopyPad(y, x, 1, count);',
    'Adds(y, x, 1, count);',
    missing('DataCopyPad'),
  ],
  [
    'the type of a tensor that is cast',
    'auto z = buf_.Get<half>(); Cast(y, z, m, count);',
    'auto z = buf_.Get<float>(); Cast(y, z, m, count);',
  ],
  [
    'a tensor taken out once',
    'auto z = inQueue_.AllocTensor<T>(); z = inQueue_.DeQue<T>();',
    'auto z = inQueue_.DeQue<T>();',
  ],
])('nothing is made up for %s', (_, failed, right, given) => {
  expect(told(failed, right, given)).toContain('nothing')
})

test.each([
  ['SetFlag<HardEvent::V_MTE3>(1);', 'end of kernel', 'SetFlag from PIPE_V to PIPE_MTE3, event 1, has no WaitFlag'],
  ['TPipe other;', 'TPipe', 'a TPipe is created while another one is alive'],
])('of two faults that which the run names stands first: %s', (line, api, message) => {
  const files = file(`DataCopyPad(xGm_[0], y, p);\n${line}`)
  const right = file('DataCopyPad(xGm_[start], y, p);')
  const failure = {files, reference: {files: right}, verdict: {outcome: 'violated'}} as unknown as Failure
  const observed = {kind: 'rule', case: '0', block: 0, api, tensor: '', rule: 'unpaired-flag', message} as const
  const facts = {edits: editsBetween(files, right), error: undefined, observed} as unknown as FailureFacts
  const faults = explain(failure, facts, {apis, voice: voice('en', randomFrom('r'))})
  expect(faults).toHaveLength(2)
  expect(JSON.stringify((faults as readonly Fault[])[0]?.edit)).toContain(line)
})

test('of two faults each has its reason, and an argument too many is no mask', () => {
  const both = told(
    'Adds(y, x, 1, count, false); DataCopyPad(xGm_[start + 1], y, p);',
    'Adds(y, x, 1, count); DataCopyPad(xGm_[start], y, p);',
  )
  expect(both).toHaveLength(2)
  expect(both[0]).toContain('too many: `false`')
  expect(both[0]).not.toContain('mask')
  expect(both[1]).toContain('off its place')
})

test('speaks Chinese as well', () => {
  const [text] = told('Adds(y, x, count);', 'Adds(y, x, 1, count);', {language: 'zh'})
  expect(text).toContain('少了第3个实参（`scalarValue`）`1`')
  expect(text).not.toMatch(/without|takes/)
})
