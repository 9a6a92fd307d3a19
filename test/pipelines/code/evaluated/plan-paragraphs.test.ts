import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {expect, test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import type {Scenario} from '../../../../datasets/schema/scenario.ts'
import type {TensorSpec} from '../../../../datasets/schema/tensor.ts'
import {
  buffersParagraph,
  placesSentence,
  sharesParagraph,
  sharesSentence,
} from '../../../../pipelines/code/evaluated/plan-paragraphs.ts'
import {both, kernelOf, toldCases} from '../../../helpers/told-parts.ts'

const output = (shape: number[], dtype: TensorSpec['dtype'] = 'float16', name = 'y'): TensorSpec => ({
  name,
  dtype,
  shape,
})

/** Cores that read and write so many bytes: `64→32 64→32`. */
function blocksOf(bytes: string): RunTrace['blocks'] {
  return bytes.split(' ').map((core, index) => {
    const [readBytes = 0, writtenBytes = 0] = core.split('→').map(Number)
    return {index, readBytes, writtenBytes}
  })
}

/** Buffers as `VECIN queue 2 256`. */
function buffersOf(text: string): RunTrace['buffers'] {
  const one = (words: string) => {
    const [position = '', kind = '', count = '', bytes = ''] = words.split(' ')
    return {name: '', position, kind: kind as 'queue' | 'buffer', count: Number(count), bytes: Number(bytes)}
  }
  return text === '' ? [] : text.split('; ').map(one)
}

function scenario(trace: Partial<RunTrace>, outputs: TensorSpec[] = [output([64])]): Scenario {
  const buffers = trace.buffers ?? []
  const ubPeakBytes = buffers.reduce((sum, {count, bytes}) => sum + count * bytes, 0)
  const all = {blockDim: trace.blocks?.length ?? 1, tiling: {}, calls: {}, blocks: [], buffers, ubPeakBytes, ...trace}
  return {outputs, trace: all} as unknown as Scenario
}

const split = (body: string) => kernelOf(`class K { public: void Init() { ${body} } void Process() {} };`)

test('equal cores that follow each other are told together, more than three kinds by their range', () => {
  const cases: Record<string, string> = {}
  for (const bytes of [
    '64→32',
    '64→32 64→32',
    '64→32 64→32 32→32',
    '64→32 64→16 64→32',
    '1→2 2→3 3→4',
    '1→2 2→9 3→4 1→1',
  ])
    cases[bytes] = both((speaker) => sharesSentence(blocksOf(bytes), speaker))
  cases['no core'] = both((speaker) => sharesSentence([], speaker))
  toldCases('cores', cases)
})

test('a core finds its place by the statements of the split, four at most, none of them long', async () => {
  const bodies = {
    'a name for the core': 'uint32_t block = GetBlockIdx(); x.SetGlobalBuffer((__gm__ half*)x + block * share, share);',
    'the index itself': 'x.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * share, share);',
    'five tensors': ['a', 'b', 'c', 'd', 'e']
      .map((one) => `${one}.SetGlobalBuffer(p + GetBlockIdx() * share);`)
      .join(' '),
    'a statement of 140 letters': `x.SetGlobalBuffer(${'a'.repeat(92)} + GetBlockIdx() * share, n);`,
    'a statement of 141 letters': `x.SetGlobalBuffer(${'a'.repeat(93)} + GetBlockIdx() * share, n);`,
    'no split': 'x.SetGlobalBuffer(p, n);',
  }
  const cases: Record<string, string> = {}
  for (const [name, body] of Object.entries(bodies)) {
    const facts = await split(body)
    cases[name] = both((speaker) => placesSentence(facts, speaker))
  }
  toldCases('places', cases)
})

test('the cut over the cores is told with its numbers', async () => {
  const facts = await split('x.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * blockLength, tileLength);')
  const scaled = await split('x.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * blockLength * rows, tileLength);')
  const inRows = await split('x.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * rowsPerCore, tileLength);')
  const held = await split('x.SetGlobalBuffer((__gm__ half*)x + blockIdx * this->blockLength, tileLength);')
  const text = 'blockLength tileLength rows alpha scale thin wide'
  const equal = (cores: number) => blocksOf(Array(cores).fill('64→64').join(' '))
  const told = (trace: Partial<RunTrace>, outputs?: TensorSpec[], given: KernelFacts = facts, names = text) =>
    both((speaker) => sharesParagraph(scenario(trace, outputs), given, names, speaker))
  const tiling = {blockLength: 32}
  const [two, one] = [[output([64])], [output([32])]]
  const floats = {alpha: Math.fround(0.1), scale: 1e-5, thin: Math.fround(1 / 3), wide: 2 ** 40, rows: 3, other: 5}
  toldCases('shares', {
    'all cores': told({blocks: equal(48)}, [output([48, 32])]),
    'one core idle': told({blocks: equal(47)}, [output([47, 32])]),
    'several cores idle': told({blocks: equal(46)}, [output([46, 32])]),
    'two cores at work': told({blocks: equal(2)}, two),
    'one core at work': told({blocks: equal(1), tiling}, one),
    'a share that covers the output': told({blocks: equal(2), tiling}, two),
    'a share that covers less than the output': told({blocks: equal(2), tiling}, [output([65])]),
    'a share that covers it with a core less': told({blocks: equal(2), tiling}, one),
    'a share that just does not': told({blocks: equal(2), tiling}, [output([33])]),
    'a share that the largest core does not write': told({blocks: equal(2), tiling: {blockLength: 33}}, two),
    'the larger of two shares': told({blocks: blocksOf('64→64 32→32'), tiling}, [output([48])]),
    'a share in rows': told({blocks: equal(2), tiling: {rowsPerCore: 32}}, two, inRows, 'rowsPerCore'),
    'a share of floats': told({blocks: equal(2), tiling: {blockLength: 16}}, [output([32], 'float32')]),
    'a share that is scaled': told({blocks: equal(2), tiling}, two, scaled),
    'a share held by a name': told({blocks: equal(2), tiling}, two, held),
    'a share that places nothing': told({blocks: equal(2), tiling: {tileLength: 32}}, two),
    'a share of an inner structure': told({blocks: equal(2), tiling: {'base.blockLength': 32}}, two),
    'a share that the kernel does not ask for': told({blocks: equal(2), tiling}, two, facts, 'tileLength'),
    'two outputs': told({blocks: equal(2), tiling}, [output([64]), output([64], 'float16', 'z')]),
    'no output': told({blocks: equal(2), tiling}, []),
    'numbers of each kind': told({blocks: equal(2), tiling: {...floats, shape: [1, 2]} as never}, two),
    'fifteen constants': told(
      {blocks: equal(2), tiling: Object.fromEntries(Array.from({length: 15}, (_, at) => [`n${at}`, at]))},
      two,
      facts,
      Array.from({length: 15}, (_, at) => `n${at}`).join(' '),
    ),
  })
})

const members =
  'TQue<TPosition::VECIN, 1> in; TQue<TPosition::VECIN, 1> more; TQue<TPosition::VECOUT, 1> out; TBuf<> work;'
const setUps: Readonly<Record<string, string>> = {
  in: 'pipe.InitBuffer(in, 2, n);',
  more: 'pipe.InitBuffer(more, 2, n);',
  out: 'pipe.InitBuffer(out, 2, n);',
  work: 'pipe.InitBuffer(work, n);',
}

/** A kernel that sets up the named buffers and takes tiles out of queues as the text says. */
function kernel(names: string, process: string): Promise<KernelFacts> {
  const own = names.split(' ')
  const declared = members.split('; ').filter((one) => own.some((name) => new RegExp(` ${name};?$`).test(one)))
  const init = own.map((name) => setUps[name] ?? '').join(' ')
  return kernelOf(
    `class K { public: void Init() { ${init} } void Process() { ${process} } ` +
      `${declared.map((one) => `${one.replace(/;$/, '')};`).join(' ')} };`,
  )
}

const take = 'LocalTensor<half> a = in.DeQue<half>(); LocalTensor<half> b = out.DeQue<half>();'

test('buffers are told in bytes, with what they leave free and how many rounds they make', async () => {
  const facts = await kernel('in out work', take)
  const twins = await kernel('in more out', take)
  const looped = await kernel('in out', `for (int i = 0; i < n; i++) { ${take} }`)
  const branched = await kernel('in out', `if (a) { ${take} }`)
  const idle = await kernel('in out', '')
  const onCondition = await kernelOf(
    'class K { public: void Init() { if (a) { pipe.InitBuffer(in, 2, n); } } void Process() { ' +
      `${take} } TQue<TPosition::VECIN, 1> in; };`,
  )
  const plain = 'VECIN queue 2 256; VECOUT queue 2 128; VECCALC buffer 1 64'
  const two = blocksOf('128→128 128→128')
  const told = (buffers: string, rest: Partial<RunTrace> = {}, given: KernelFacts = facts, outputs = [output([128])]) =>
    both((speaker) =>
      buffersParagraph(scenario({buffers: buffersOf(buffers), blocks: two, ...rest}, outputs), given, speaker),
    )
  const queues = 'VECIN queue 2 256; VECOUT queue 2 128'
  toldCases('buffers', {
    'by their names': told(plain),
    'of other kinds than declared': told('VECIN queue 2 256; VECIN queue 2 128; VECCALC buffer 1 64'),
    'more than declared': told(`${plain}; VECCALC buffer 1 64`),
    'fewer than declared': told(queues),
    'two of a kind and size': told('VECIN queue 2 256; VECIN queue 2 256; VECOUT queue 2 128', {}, twins),
    'two of a kind, other bytes': told('VECIN queue 2 256; VECIN queue 2 128; VECOUT queue 2 128', {}, twins),
    'two of a kind, other blocks': told('VECIN queue 2 256; VECIN queue 1 256; VECOUT queue 2 128', {}, twins),
    'of a condition': told('VECIN queue 2 256', {}, onCondition),
    eleven: told(Array(11).fill('VECIN queue 1 32').join('; ')),
    none: told(''),
    'that were not all there at once': told(plain, {ubPeakBytes: 700}),
    'as much as there is': told('VECIN queue 1 196608'),
    'more than there is': told('VECIN queue 1 196640'),
    'one round for each core': told(plain, {calls: {DeQue: 4}}),
    'three rounds over all': told(plain, {calls: {DeQue: 6}}),
    'fewer rounds than cores': told(plain, {calls: {DeQue: 2}}),
    'no whole rounds': told(plain, {calls: {DeQue: 5}}),
    'rounds in a loop': told(queues, {calls: {DeQue: 4}}, looped),
    'rounds in a branch': told(queues, {calls: {DeQue: 4}}, branched),
    'nothing is taken': told(queues, {calls: {DeQue: 4}}, idle),
    'a core that writes nothing': told(plain, {calls: {DeQue: 4}, blocks: blocksOf('128→128 128→0')}),
    'a share larger than a block': told(plain, {blocks: blocksOf('512→512 512→130')}),
    'a share as large as a block, read': told(queues, {blocks: blocksOf('128→64 128→64')}, looped),
    'a share larger than one of the blocks': told(queues, {blocks: blocksOf('129→64 129→64')}, looped),
    'a share that is written larger': told(queues, {blocks: blocksOf('64→129 64→129')}, looped),
    'single queues': told('VECIN queue 1 256; VECOUT queue 1 128; VECCALC buffer 1 64', {calls: {DeQue: 6}}),
    'one single queue': told('VECIN queue 1 256; VECOUT queue 2 128; VECCALC buffer 1 64', {calls: {DeQue: 6}}),
    'no queue': told('VECCALC buffer 2 64', {calls: {DeQue: 6}}),
    'two output queues': told('VECOUT queue 2 128; VECOUT queue 2 128'),
    'two outputs': told(plain, {}, facts, [output([128]), output([128], 'float16', 'z')]),
    'no outputs': told(plain, {}, facts, []),
    'no cores': told(plain, {blocks: []}),
    'elements of four bytes': told(plain, {blocks: blocksOf('260→260')}, facts, [output([65], 'float32')]),
  })
  expect(both((speaker) => buffersParagraph(scenario({buffers: []}), facts, speaker))).toBe('\n')
})
