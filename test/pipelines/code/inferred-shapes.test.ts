import {describe, expect, test} from 'vitest'
import {told} from '../../helpers/told-file.ts'

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

  test('is asked for and decided where one rule gives it', async () => {
    const same = await rule('*yShape = *xShape;')
    expect(same.request).toBe('Output 0 has the shape of input 0.')
    expect(same.reasoning).toContain('What has to come out? Output 0 has the shape of input 0: one assignment')
    expect((await rule('yShape->SetDimNum(3); *yShape = *xShape;')).request).toBe(same.request)
    expect((await rule('yShape->SetScalar();')).request).toBe('Output 0 is a scalar.')
    const dims = 'int64_t n = xShape->GetDim(1); yShape->SetDimNum(2); yShape->SetDim(0, n); yShape->SetDim(1, 4);'
    expect((await rule(dims)).request).toBe('Output 0 has 2 dimensions: (dimension 1 of input 0, 4).')
    const looped = `size_t n = xShape->GetDimNum(); yShape->SetDimNum(n);
      for (size_t i = 0; i < n; i++) { yShape->SetDim(i, xShape->GetDim(i)); }`
    expect((await rule(looped)).reasoning).toContain('first gets that rank, then each dimension in a loop')
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

  test('is decided for the case without a special branch, and a copy is explained once', async () => {
    const {reasoning} = await rule(
      'if (Skip(xShape)) { *yShape = other; return ge::GRAPH_SUCCESS; } *yShape = *xShape;\n' +
        '  auto zShape = context->GetOutputShape(1);\n  *zShape = *xShape;',
    )
    expect(reasoning).toContain(
      'In the case without a special branch, output 0 has the shape of input 0: one assignment',
    )
    expect(reasoning).toContain('output 1 has the shape of input 0; the branches below come first.')
    expect(reasoning.match(/one assignment/g)).toHaveLength(1)
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
    expect(reasoning).toContain('`xShape` and `yShape` are checked before use')
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
