import {describe, expect, test} from 'vitest'
import {decidedIn, situations, valuesOf} from '../../../helpers/file-decided.ts'

const shapes = 'auto x = context->GetInputShape(0); auto y = context->GetOutputShape(0);'
const decided = (body: string, after = '') =>
  decidedIn(
    'infer-shape',
    `static ge::graphStatus InferShape(gert::InferShapeContext* context) { ${shapes} ${body} ` +
      `return ge::GRAPH_SUCCESS; }\n${after}`,
  )
const shapeOf = async (body: string) =>
  situations(await decided(body)).filter((one) => /^inference-shape\/(?!asked|left-out|operators)/.test(one))

describe('the rule of an output', () => {
  test.each([
    ['*y = *x;', 'same-copied'],
    ['y->SetScalar();', 'scalar'],
    ['y->SetDimNum(1); y->SetDim(0, -1);', 'data-dependent'],
    ['y->SetDimNum(2); y->SetDim(0, x->GetDim(1)); y->SetDim(1, 5);', 'dimensions'],
    ['auto a = attrs->GetInt(0); y->SetDimNum(2); y->SetDim(0, x->GetDim(1)); y->SetDim(1, *a);', 'mixed-dimensions'],
    ['auto a = attrs->GetInt(0); y->SetDimNum(1); y->SetDim(0, *a);', 'given-dimensions'],
    ['y->SetDimNum(1); y->SetDim(0, Count(x));', 'some-dimensions'],
    ['y->SetDimNum(1); if (big) { y->SetDim(0, n); } else { y->SetDim(0, 1); }', 'cases'],
    ['if (a) { *y = *x; y->SetDim(0, n); }', 'copy-and-set'],
    ['InferShape4Broadcast(context);', 'broadcast'],
  ])('%s', async (body, situation) => {
    expect(await shapeOf(body)).toEqual([`inference-shape/${situation}`])
  })

  test('has the dimensions of each case', async () => {
    const found = await decided(
      'y->SetDimNum(2); if (big) { y->SetDim(0, n); y->SetDim(1, 1); } else { y->SetDim(0, m); }',
    )
    expect(valuesOf(found, 'inference-shape/cases')).toMatchObject({forms: ['(n, 1)', '(m)'], conditions: ['big']})
  })

  test('is not what is only set to unknown', async () => {
    expect(await shapeOf('if (IsUnknownRank(*x)) { y->SetDimNum(1); y->SetDim(0, -2); }')).toEqual([])
  })
})

describe('what is unknown', () => {
  test('needs no case where the shape is copied, and one where it is asked for', async () => {
    expect(situations(await decided('*y = *x;'))).toContain('inference-unknown/copied-along')
    const asked = await decided('if (IsUnknownRank(*x)) { SetUnknownRank(*y); return ge::GRAPH_SUCCESS; } *y = *x;')
    expect(situations(asked)).toContain('inference-unknown/rank-written')
    expect(situations(asked)).not.toContain('inference-unknown/copied-along')
    const looped =
      'y->SetDimNum(x->GetDimNum()); for (size_t i = 0; i < x->GetDimNum(); i++) { y->SetDim(i, x->GetDim(i)); }'
    expect(situations(await decided(looped))).not.toContain('inference-unknown/copied-along')
  })
})

describe('the type', () => {
  const typed = async (type: string, before = '') =>
    situations(
      await decided(
        '',
        `static ge::graphStatus InferType(gert::InferDataTypeContext* context) { ${before} ` +
          `context->SetOutputDataType(0, ${type}); return ge::GRAPH_SUCCESS; }`,
      ),
    ).filter((one) => one.startsWith('inference-types/'))

  test.each([
    ['context->GetInputDataType(0)', '', 'followed'],
    ['type', 'auto type = context->GetInputDataType(0);', 'followed'],
    ['ge::DT_INT8', '', 'fixed'],
    ['type', 'auto type = Chosen(context);', undefined],
  ])('%s', async (type, before, situation) => {
    expect((await typed(type, before))[0]).toBe(situation && `inference-types/${situation}`)
  })
})

test('what is refused is told by rank and by values; several operators share a rule', async () => {
  const found = await decided(
    'if (x->GetDimNum() != 2) { return ge::GRAPH_FAILED; } if (x->GetDim(0) == 0) { return ge::GRAPH_FAILED; } *y = *x;',
    'IMPL_OP_INFERSHAPE(Fold).InferShape(InferShape);\nIMPL_OP_INFERSHAPE(Unfold).InferShape(InferShape);',
  )
  expect(valuesOf(found, 'inference-refusal/rank')).toEqual({conditions: ['x->GetDimNum() != 2']})
  expect(valuesOf(found, 'inference-refusal/values')).toEqual({conditions: ['x->GetDim(0) == 0']})
  expect(valuesOf(found, 'inference-shape/operators')).toEqual({operators: ['Fold', 'Unfold']})
})
