import type {InferredShape} from '../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {inferredShapes} from '../../../pipelines/facts/inferred-shapes.ts'
import {told} from '../../helpers/told-file.ts'
import {flowOf} from '../../helpers/told-parts.ts'

/** One function that infers a shape, with the given body. */
function inferring(body: string): string {
  return `
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  auto xShape = context->GetInputShape(0);
  auto yShape = context->GetOutputShape(0);
  if (xShape == nullptr || yShape == nullptr) {
    return ge::GRAPH_FAILED;
  }
  ${body}
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Fold).InferShape(InferShape);`
}

describe('the shape that comes out', () => {
  const rule = async (body: string) => {
    const {request, reasoning} = await told('infer-shape', inferring(body))
    return {request: request.match(/Output \d[^.]*\./)?.[0] ?? '', reasoning}
  }

  test('is asked for where one rule gives it', async () => {
    const same = await rule('*yShape = *xShape;')
    expect(same.request).toBe('Output 0 has the shape of input 0.')
    expect((await rule('yShape->SetDimNum(3); *yShape = *xShape;')).request).toBe(same.request)
    expect((await rule('yShape->SetScalar();')).request).toBe('Output 0 is a scalar.')
    const dims = 'int64_t n = xShape->GetDim(1); yShape->SetDimNum(2); yShape->SetDim(0, n); yShape->SetDim(1, 4);'
    expect((await rule(dims)).request).toBe('Output 0 has 2 dimensions: (dimension 1 of input 0, 4).')
    const looped = `size_t n = xShape->GetDimNum(); yShape->SetDimNum(n);
      for (size_t i = 0; i < n; i++) { yShape->SetDim(i, xShape->GetDim(i)); }`
    expect((await rule(looped)).request).toBe(same.request)
    const shorter = looped.replaceAll(/SetDimNum\(n\)/g, 'SetDimNum(n - 1)')
    expect((await rule(shorter.replace('i < n;', 'i < n - 1;'))).request).toBe(
      'Output 0 has the shape of input 0 without its last dimension.',
    )
    expect((await rule(shorter)).request).toBe('')
    const rank = 'size_t n = xShape->GetDimNum(); yShape->SetDimNum(1); yShape->SetDim(0, n);'
    expect((await rule(rank)).request).toBe('Output 0 has 1 dimension: (the rank of input 0).')
    const attribute = 'auto k = attrs->GetInt(1); yShape->SetDimNum(1); yShape->SetDim(0, *k);'
    expect((await rule(attribute)).request).toBe('Output 0 has 1 dimension: (attribute 1).')
    const refused = 'if (xShape->IsScalar()) { yShape->SetDimNum(0); return ge::GRAPH_FAILED; } *yShape = *xShape;'
    expect((await rule(refused)).request).toBe(same.request)
  })

  test('is not asked for where a branch has another, beside one that is the same in any case', async () => {
    const {request} = await rule('if (Skip(xShape)) { *yShape = other; return ge::GRAPH_SUCCESS; } *yShape = *xShape;')
    expect(request).toBe('')
  })

  test.each([
    ['a function changes the number', 'int64_t n = 0; Count(context, n); yShape->SetDimNum(1); yShape->SetDim(0, n);'],
    ['a later write changes it', '*yShape = *xShape; yShape->SetDim(0, 1);'],
    [
      'a loop copies a part',
      'yShape->SetDimNum(3); for (size_t i = 0; i < 2; i++) { yShape->SetDim(i, xShape->GetDim(i)); }',
    ],
    ['a branch decides', 'if (xShape->IsScalar()) { yShape->SetDimNum(0); } else { *yShape = *xShape; }'],
    ['the function may succeed before', 'if (Skip(xShape)) { return ge::GRAPH_SUCCESS; } *yShape = *xShape;'],
    [
      'a loop goes over the rank of another',
      `auto zShape = context->GetInputShape(1); yShape->SetDimNum(xShape->GetDimNum());
      for (size_t i = 0; i < zShape->GetDimNum(); i++) { yShape->SetDim(i, xShape->GetDim(i)); }`,
    ],
    ['dimensions are set out of order', 'yShape->SetDimNum(2); yShape->SetDim(1, 4); yShape->SetDim(0, 8);'],
    ['more dimensions are counted than set', 'yShape->SetDimNum(3); yShape->SetDim(0, 4); yShape->SetDim(1, 8);'],
    [
      'a branch sets the number',
      'int64_t n; if (xShape->IsScalar()) { n = 4; } yShape->SetDimNum(1); yShape->SetDim(0, n);',
    ],
    ['another function writes it', '*yShape = *xShape; Squeeze(yShape);'],
  ])('is not asked for where %s', async (_, body) => {
    expect((await rule(body)).request).toBe('')
  })

  test('is decided where the function succeeds early only after it is set', async () => {
    expect((await rule('*yShape = *xShape; if (Skip(xShape)) { return ge::GRAPH_SUCCESS; } Note();')).request).toBe(
      'Output 0 has the shape of input 0.',
    )
  })

  test('a null pointer is no wrong size', async () => {
    const {reasoning} = await rule('*yShape = *xShape;')
    for (const name of ['xShape', 'yShape']) expect(reasoning).toContain(`\`${name}\``)
    expect(reasoning).not.toContain('wrong size')
    expect(reasoning).not.toContain('nullptr')
  })
})

test('names of tensors are told only where the definition has them all', async () => {
  const {request} = await told(
    'infer-shape',
    inferring('*yShape = *xShape;').replace('GetInputShape(0)', 'GetInputShape(9)'),
  )
  expect(request).not.toContain('in the order of the definition')
})

const constants = new Map([
  ['X', 0],
  ['AXIS', 1],
])

/** What is read of a function that has inputs `x`, `b` and the output `y`. */
async function shapes(body: string): Promise<InferredShape[]> {
  const given = 'auto x = context->GetInputShape(X); auto b = context->GetOptionalInputShape(2);'
  const flow = await flowOf(`int Infer(C* context) { ${given} auto y = context->GetOutputShape(0); ${body} }`)
  return inferredShapes(flow, constants)
}

const ruleOf = async (body: string) => (await shapes(body))[0]?.rule

describe('the rule of an output', () => {
  const same = {kind: 'same', of: 'input', index: '0', isLooped: false}
  const count = 'size_t n = x->GetDimNum();'
  const looped = (head: string, set: string) =>
    `${count} ${set} for (size_t i = ${head}; i++) { y->SetDim(i, x->GetDim(i)); }`

  test.each<[name: string, body: string, rule: unknown]>([
    ['a copy', '*y = *x;', same],
    ['a copy of another input', '*y = *b;', {...same, index: '2'}],
    ['a copy through itself', 'auto r = *r; *y = *r;', undefined],
    ['a copy through a pointer', 'auto r = *x; auto p = &r; *y = *p;', same],
    [
      'a copy of what another output has',
      'auto z = context->GetOutputShape(1); *y = *z;',
      {...same, of: 'output', index: '1'},
    ],
    ['a copy of something else', 'auto z = Other(1); *y = *z;', undefined],
    ['a copy of a name', '*y = x;', undefined],
    ['the last copy', '*y = *b; *y = *x;', same],
    ['a copy that is changed', '*y = *x; y->SetDim(0, 1);', undefined],
    ['a copy after a change', 'y->SetDim(0, 1); *y = *x;', same],
    ['a scalar', 'y->SetScalar();', {kind: 'scalar'}],
    ['a scalar and more', 'y->SetScalar(); y->AppendDim(1);', undefined],
    ['nothing', 'other = 1;', undefined],
    ['what a function writes', 'Fill(y);', undefined],
    ['what a question leaves', 'if (y->GetDimNum() > 0) { n = y->GetDim(0); } *y = *x;', same],
    ['what a check and a log leave', 'OP_CHECK_NULL(y, return 1); OP_LOGD(y); *y = *x;', same],
    ['what a log leaves', 'y->SetScalar(); OP_LOGD(y);', {kind: 'scalar'}],
    ['a loop over the rank', looped('0; i < n', 'y->SetDimNum(n);'), {...same, isLooped: true}],
    [
      'a loop without the last dimension',
      looped('0; i < n - 1', 'y->SetDimNum(n - 1);'),
      {...same, isLooped: true, without: 1},
    ],
    [
      'a loop without as many as a constant',
      looped('0; i < n - AXIS', 'y->SetDimNum(n - AXIS);'),
      {...same, isLooped: true, without: 1},
    ],
    [
      'a loop that looks one dimension ahead',
      looped('0; i + 1 < n', 'y->SetDimNum(n - 1);'),
      {...same, isLooped: true, without: 1},
    ],
    [
      'a loop that looks two dimensions ahead, of a count that is told so',
      looped('0; i + AXIS < n - 1', 'y->SetDimNum(n - 2);'),
      {...same, isLooped: true, without: 2},
    ],
    ['a loop that looks further ahead than its count', looped('0; i + 2 < n', 'y->SetDimNum(n - 1);'), undefined],
    ['a loop that looks ahead by an unknown number', looped('0; i + k < n', 'y->SetDimNum(n);'), undefined],
    ['a loop without an unknown number', looped('0; i < n - k', 'y->SetDimNum(n - k);'), undefined],
    ['a loop that ends early', looped('0; i < n - 1', 'y->SetDimNum(n);'), undefined],
    ['a loop that begins late', looped('1; i < n', 'y->SetDimNum(n);'), undefined],
    ['a loop after no count', looped('0; i < n', ''), undefined],
    ['a loop over another number', looped('0; i < m', 'y->SetDimNum(n);'), undefined],
    ['a loop of another count', looped('0; i < n', 'y->SetDimNum(m);'), undefined],
    ['a loop that appends', `${count} y->SetDimNum(n); for (size_t i = 0; i < n; i++) { y->AppendDim(i); }`, undefined],
    [
      'a loop in a loop',
      `${count} y->SetDimNum(n); for (;;) { for (size_t i = 0; i < n; i++) { y->SetDim(i, x->GetDim(i)); } }`,
      undefined,
    ],
    [
      'a loop that reads another place',
      `${count} y->SetDimNum(n); for (size_t i = 0; i < n; i++) { y->SetDim(i, x->GetDim(j)); }`,
      undefined,
    ],
    [
      'a loop through a variable',
      `${count} y->SetDimNum(n); for (size_t i = 0; i < n; i++) { auto d = x->GetDim(i); y->SetDim(i, d); }`,
      {...same, isLooped: true},
    ],
    [
      'a loop over what is no input',
      'auto z = Other(); size_t n = z->GetDimNum(); y->SetDimNum(n); for (size_t i = 0; i < n; i++) { ' +
        'y->SetDim(i, z->GetDim(i)); }',
      undefined,
    ],
    ['a loop that only sets', 'y->SetDimNum(2); for (int i = 0; i < 2; i++) { y->SetDim(i, 1); }', undefined],
    ['a count alone', 'y->SetDimNum(0);', undefined],
    ['counted twice', 'y->SetDimNum(1); y->SetDimNum(1); y->SetDim(0, 4);', undefined],
    ['more set than counted', 'y->SetDimNum(1); y->SetDim(0, 4); y->SetDim(1, 4);', undefined],
    ['set and appended', 'y->SetDimNum(1); y->SetDim(0, 4); y->AppendDim(4);', undefined],
    ['appended to a counted shape', 'y->SetDimNum(1); y->AppendDim(4);', undefined],
  ])('%s', async (_, body, rule) => expect(await ruleOf(body)).toEqual(rule))

  const dimensions = async (...values: string[]) => {
    const before = `auto a = attrs->GetInt(AXIS); auto f = Other(1); int64_t d = x->GetDim(1);
      int64_t d1 = d; int64_t d2 = d1;
      int64_t d3 = d2; int64_t d4 = d3; int64_t sum = 4; sum += 1; int64_t cased = 4; if (c) { cased = 5; }`
    const rule = await ruleOf(`${before} y->SetDimNum(0); ${values.map((one) => `y->AppendDim(${one});`).join(' ')}`)
    return rule?.kind === 'dimensions' ? rule.values.map(({source}) => source) : rule
  }

  test('dimensions come from dimensions, ranks, attributes and numbers', async () => {
    expect(await dimensions('4', 'AXIS', '(8)', '2UL', 'static_cast<int64_t>(16)')).toEqual(
      ['4', '1', '8', '2', '16'].map((value) => ({kind: 'number', value})),
    )
    expect(await dimensions('x->GetDim(AXIS)', 'b->GetDim(0)', 'd', 'd1', 'd2', 'd3')).toEqual([
      {kind: 'dimension', of: '0', index: '1'},
      {kind: 'dimension', of: '2', index: '0'},
      ...Array(4).fill({kind: 'dimension', of: '0', index: '1'}),
    ])
    expect(await dimensions('x->GetDimNum()', '*a')).toEqual([
      {kind: 'rank', of: '0'},
      {kind: 'attribute', index: '1'},
    ])
  })

  test('what they come from is not known where anything else may be in it', async () => {
    expect(
      await dimensions(
        'd4',
        'sum',
        'cased',
        '*f',
        'f',
        'other',
        'd * 2',
        'x->GetDim(k)',
        'q->GetDim(0)',
        'q->GetDimNum()',
      ),
    ).toEqual(Array(10).fill(undefined))
  })

  test('set one after the other they are as many as were counted', async () => {
    expect(await ruleOf('y->SetDimNum(2); y->SetDim(0, 4); y->SetDim(AXIS, 8);')).toEqual({
      kind: 'dimensions',
      values: [
        {text: '4', source: {kind: 'number', value: '4'}},
        {text: '8', source: {kind: 'number', value: '8'}},
      ],
    })
    expect(await ruleOf('y->AppendDim(4);')).toMatchObject({values: [{text: '4'}]})
  })

  test('a variable that a function gets may have changed, unless it only sets a dimension or is logged', async () => {
    const of = async (before: string) => {
      const rule = await ruleOf(`int64_t n = 4; ${before} y->SetDimNum(1); y->SetDim(0, n);`)
      return rule?.kind === 'dimensions' ? rule.values[0]?.source : undefined
    }
    expect(await of('')).toEqual({kind: 'number', value: '4'})
    expect(await of('Count(x, n);')).toBeUndefined()
    expect(await of('Count(&n, x);')).toBeUndefined()
    expect(await of('OP_LOGD(x, n);')).toEqual({kind: 'number', value: '4'})
    expect(await of('for (;;) { n = 4; }')).toBeUndefined()
  })
})

describe('cases', () => {
  const hasCases = async (body: string) => (await shapes(body))[0]?.hasCases

  test.each<[body: string, cases: boolean]>([
    ['*y = *x;', false],
    ['if (a) { *y = *b; } *y = *x;', true],
    ['if (a) { *y = *b; return GRAPH_FAILED; } *y = *x;', false],
    ['if (a) { return GRAPH_FAILED; } if (c) { *y = *b; } *y = *x;', true],
    ['if (a) { *y = *b; Note(GRAPH_FAILED); } *y = *x;', true],
    ['if (a) { return GRAPH_SUCCESS; } *y = *x;', true],
    ['if (a) { return GRAPH_FAILED; } *y = *x;', false],
    ['if (a) { Note(GRAPH_SUCCESS); } *y = *x;', false],
    ['*y = *x; if (a) { return GRAPH_SUCCESS; }', false],
    ['*y = *x; return GRAPH_SUCCESS;', false],
  ])('of %s', async (body, cases) => expect(await hasCases(body)).toBe(cases))
})

test('each output is read for itself, by number or constant; one of an unknown number is not', async () => {
  const body = `auto z = context->GetOutputShape(AXIS); *z = *y; *y = *x; auto u = context->GetOutputShape(k); *u = *x;
    context->GetOutputShape(3); auto w = context->GetOutputShape(4);`
  expect(await shapes(body)).toEqual([
    {
      method: 'Infer',
      output: '0',
      variable: 'y',
      rule: {kind: 'same', of: 'input', index: '0', isLooped: false},
      hasCases: false,
    },
    {
      method: 'Infer',
      output: '1',
      variable: 'z',
      rule: {kind: 'same', of: 'output', index: '0', isLooped: false},
      hasCases: false,
    },
  ])
})

test.each([
  ['if (n == 0) { return ge::GRAPH_SUCCESS; } *yShape = *xShape;', true],
  ['*yShape = *xShape; if (n == 0) { return ge::GRAPH_SUCCESS; }', false],
  ['if (n == 0) { return ge::GRAPH_FAILED; } *yShape = *xShape;', false],
  ['if (n == 0) { Log(n); } *yShape = *xShape;', false],
  ['if (n == 0) { *yShape = *xShape; } *yShape = *xShape;', true],
  ['if (n == 0) { yShape->SetDimNum(0); return ge::GRAPH_FAILED; } *yShape = *xShape;', false],
])('a shape has cases where a branch writes it or succeeds before: %s', async (body, hasCases) => {
  const shapes = inferredShapes(
    await flowOf(`ge::graphStatus F() { auto xShape = context->GetInputShape(0);
      auto yShape = context->GetOutputShape(0); ${body} return ge::GRAPH_SUCCESS; }`),
    new Map(),
  )
  expect(shapes).toEqual([
    {
      method: 'F',
      output: '0',
      variable: 'yShape',
      rule: {kind: 'same', of: 'input', index: '0', isLooped: false},
      hasCases,
    },
  ])
})
