import {mkdtempSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {judgeCases} from '../../../../eval/bench/cann-bench/judge-package.ts'
import {packages, type OpenPackage} from '../../../../eval/bench/cann-bench/open-package.ts'
import {openOperatorOracle, type OperatorOracle} from '../../../../eval/bench/cann-bench/operator-oracle.ts'
import {readOperator} from '../../../../eval/bench/cann-bench/checkout-operators.ts'
import type {CaseVerdict} from '../../../../eval/bench/cann-bench/operator-verdict.ts'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import type {Submission} from '../../../../eval/bench/submission/submission.ts'
import {atlasA2} from '../../../../eval/cost.ts'
import type {Tools} from '../../../../eval/executors/tools.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {ownCheckout, scaling, ways} from './own-packages.ts'
import {testCompiler} from '../../../helpers/real-executor.ts'
import {testCache, twinCache} from '../../../helpers/test-cache.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)

// Needs a Python with torch.
describe.skipIf(!python)('a package', () => {
  let tools: Tools
  let workDirectory: string
  let open: OpenPackage

  beforeAll(async () => {
    workDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'packages-')))
    tools = await twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler})
    open = await packages({twin: tools, python: python!, cacheDirectory: join(testCache, 'bindings'), workDirectory})
  })
  afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

  test('that calls a built-in operator is refused before it is compiled', async () => {
    const calling = {'csrc/other.cpp': 'int Other() { return aclnnMulsGetWorkspaceSize(0, 0); }'}
    expect(await open(scaling(calling))).toMatchObject({
      ok: false,
      kind: 'refused-source',
      behaviour: 'SUB-BEH-003',
      why: expect.stringContaining('csrc/other.cpp:1') as string,
    })
    expect(await open('print("hello")')).toMatchObject({ok: false, kind: 'unreadable'})
  })

  describe('that scales a tensor', () => {
    let submission: Submission
    let oracle: OperatorOracle
    let found: Map<string, CaseVerdict>

    beforeAll(async () => {
      const home = join(ownCheckout, 'tasks/level1/scale')
      const {facts, cases} = await readOperator(home)
      const opened = await open(scaling())
      if (!opened.ok) throw new Error(`${opened.kind}: ${opened.why}\n${opened.log}`)
      submission = opened.submission
      const folder = mkdtempSync(join(workDirectory, 'golden-'))
      const {sandbox} = tools
      const module = join(home, 'golden.py')
      oracle = await openOperatorOracle({python: python!, sandbox, folder, module, seconds: 300}, facts)
      const asked = ways.map((name, way) => ({...cases[0]!, id: name, shapes: [[64, 64]], attrs: {factor: 3, way}}))
      const setting = {sizes: ['small'], largestInput: 1 << 24, trials: 2, rates: atlasA2} as const
      const {cases: judged, leftOut} = await judgeCases(oracle, submission, {...setting, cases: [...asked, ...cases]})
      expect(leftOut).toEqual([])
      found = new Map(judged.map((one) => [one.case, one]))
    }, 900_000)
    afterAll(() => Promise.all([submission?.dispose(), oracle?.close()]))

    test('is right by both comparisons, at sizes that no tile divides and where half is NaN', () => {
      for (const id of ['right', '1', '2'])
        expect(found.get(id), id).toEqual({case: id, bytes: expect.any(Number), modelled: expect.any(Object)})
      // Larger than what was asked for.
      expect(found.has('3')).toBe(false)
    })

    test('is told from one that rounds to half on the way, which its own comparison lets pass', () => {
      expect(found.get('narrow')).toMatchObject({hardened: expect.stringContaining('mere is') as string})
      expect(found.get('narrow')).not.toHaveProperty('literal')
      expect(found.get('narrow')).not.toHaveProperty('behaviour')
    })

    test.each([
      ['computes', 1, 'aten::mul'],
      ['softmax', 1, 'softmax'],
      ['flips', 2, 'aten::flip'],
      ['copies', 2, 'copies-without-a-kernel'],
      ['view', 2, 'not contiguous'],
      ['input', 2, 'in the memory of an input'],
      ['built-in', 3, 'torch_npu.npu_scale'],
      ['host', 4, 'reads-tensors-on-the-host'],
      ['on-host', 4, 'memory of the host'],
      ['idle', 4, 'no kernel was launched'],
      ['address', 5, 'memory of an earlier call'],
      ['last', 5, 'memory of an earlier call'],
      ['clock', 6, 'torch.npu.synchronize'],
      ['profiler', 6, 'torch_npu.profiler.profile'],
      ['lazy', 7, 'an output is a Lazy'],
      ['dressed', 7, 'Dressed'],
      ['meta', 7, 'meta'],
    ])('that %s is refused as SUB-BEH-00%i', (way, number, why) => {
      expect(found.get(way)).toMatchObject({
        behaviour: `SUB-BEH-00${number}`,
        hardened: expect.stringContaining(why) as string,
      })
    })

    test('what is changed is told of the calls that change it', () => {
      expect([...found.values()].filter(({hardened}) => hardened?.includes('changes-the-clock'))).toHaveLength(2)
    })

    test('no answer without work passes, except where it is right', async () => {
      const {cases} = await readOperator(join(ownCheckout, 'tasks/level1/scale'))
      const passing: string[] = []
      for (const family of ['own', 'normal'] as const)
        for (const seed of [1, 2])
          for (const [name, one] of Object.entries(await oracle.nothing({case: cases[0]!, seed, family})))
            if (one.literal || one.hardened) passing.push(name)
      expect(passing).toEqual([])
      const zeros = {...cases[0]!, ranges: [0, 0]}
      const own = await oracle.nothing({case: {...zeros, id: 'zeros'}, seed: 1, family: 'own'})
      expect(own).toMatchObject({zeros: {literal: true, hardened: true}, ones: {literal: false, hardened: false}})
      const other = await oracle.nothing({case: {...zeros, id: 'zeros'}, seed: 1, family: 'normal'})
      expect(other).toMatchObject({zeros: {literal: false, hardened: false}})
    })
  })
})
