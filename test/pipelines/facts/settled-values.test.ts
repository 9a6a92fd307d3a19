import {describe, expect, test} from 'vitest'
import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {answersOf, isAlias, withAnswers} from '../../../pipelines/facts/call-answers.ts'
import {integerValue} from '../../../pipelines/facts/host-expression.ts'
import {settledValues, variableIn} from '../../../pipelines/facts/settled-values.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'

describe('a variable', () => {
  const functions = async (body: string) =>
    (await syntaxOf(`void F(int p) {\n${body}\n}\nvoid Run() { F(8); }\n`)).functions
  const valueOf = async (name: string, body: string) =>
    settledValues(await functions(body), new Map([['mode', 2]]), integerValue).values.get(name)

  test.each([
    ['has what it is set to', 'n = mode + 1;', 3],
    ['has what it is set to last', 'n = 1; n = mode;', 2],
    ['has what the taken arm sets', 'if (mode == 2) { n = 5; } else { n = 6; }', 5],
    ['has what the taken case sets', 'switch (mode) { case 1: n = 5; break; case 2: n = 6; break; }', 6],
    ['has what follows from the only call', 'n = p / 2;', 4],
    ['has none in a case that is not known', 'n = 1; switch (mode) { case FIRST: n = 5; break; }', undefined],
    ['has none where a branch is not known', 'n = 1; if (other) { n = 2; }', undefined],
    ['has none where it is counted', 'n = 1; n++;', undefined],
    ['has none where it is added to', 'n = 1; n += 2;', undefined],
    ['has none where a loop sets it', 'for (int i = 0; i < 4; i++) { n = mode; }', undefined],
    ['has none where the function may have returned', 'n = 1; if (other) { return; } n = 2; return;', undefined],
    ['has its last value where the function only fails', 'n = 1; if (other) { return FAILED; } n = 2; return;', 2],
    ['has what follows from later ones', 'n = a + 1; a = b + 1; b = c + 1; c = mode;', 5],
    ['has what follows in five rounds', 'n = a; a = b; b = c; c = d; d = mode;', 2],
    ['has none that would take a sixth', 'n = a; a = b; b = c; c = d; d = e; e = mode;', undefined],
    ['has none where its own condition asks for it', 'n = mode; if (n == 2) { n = 3; }', undefined],
    ['has what a member is set to', 'info.n = mode + 1;', 3],
    ['has none where an element is set', 'list[n] = 1;', undefined],
    ['has none where it is counted before', 'n = 1; --n;', undefined],
    ['has none in an arm that is not taken', 'if (mode == 3) { n = 5; }', undefined],
    ['has what the other arm sets', 'if (mode == 3) { n = 5; } else { n = 6; }', 6],
    ['has what stands in two branches', 'if (mode == 2) { if (mode > 1) { n = 5; } }', 5],
    ['has none in a branch of which one condition is not known', 'if (mode == 2) { if (other) { n = 5; } }', undefined],
    ['has none in a branch of which one condition fails', 'if (other) { if (mode == 3) { n = 5; } }', undefined],
    ['has what it is set to last after one return', 'n = 1; n = 2; return;', 2],
  ])('%s', async (_, body, value) => expect(await valueOf('n', body)).toBe(value))

  test('of two functions has what both give it, and else none', async () => {
    const of = async (first: string, second: string) => {
      const {functions: all} = await syntaxOf(`void F() { ${first} } void G() { ${second} }`)
      return settledValues(all, new Map([['mode', 2]]), integerValue).values.get('n')
    }
    expect(await of('n = mode;', 'n = 2;')).toBe(2)
    expect(await of('n = mode;', 'n = 3;')).toBeUndefined()
    expect(await of('n = mode;', 'n += 2;')).toBeUndefined()
    expect(await of('n = mode;', 'if (other) { n = 2; }')).toBeUndefined()
    expect(await of('n = mode;', 'for (;;) { n = 2; }')).toBeUndefined()
  })

  test('is readable where what it reads has its last value by then', async () => {
    const isReadable = async (body: string, last: string) => {
      const {functions: all} = await syntaxOf(
        `void F() {\n${body}\nn = ${last};\nlater = 1;\nlater = 2;\n} void G() { far = 1; } void H() { far = 2; }`,
      )
      const settled = settledValues(all, new Map([['mode', 2]]), integerValue)
      return settled.isReadable(settled.of('n').at(-1)!)
    }
    expect(await isReadable('', 'mode + 1')).toBe(true)
    expect(await isReadable('', 'n + 1')).toBe(false)
    expect(await isReadable('a = 1;', 'a + 1')).toBe(true)
    expect(await isReadable('a = 1;\na = 2;', 'a + 1')).toBe(true)
    expect(await isReadable('', 'later + 1')).toBe(false)
    expect(await isReadable('', 'far + 1')).toBe(false)
    expect(await isReadable('a = 1; if (mode == 3) { a = 2; }', 'a + 1')).toBe(true)
    expect(await isReadable('', 'later(1)')).toBe(true)
  })

  test('is taken from an assignment that asks for it where no other gave it before', async () => {
    const source = async (body: string) => {
      const settled = settledValues(await functions(body), new Map([['mode', 2]]), integerValue)
      return settled.source(settled.of('mode'))?.value
    }
    expect(await source('if (mode == 2) { mode = 3; }')).toBe('3')
    expect(await source('if (mode == 3) { mode = 3; }')).toBeUndefined()
    expect(await source('mode = 1; if (mode == 2) { mode = 3; }')).toBeUndefined()
  })

  test('is no name that a condition could ask for where it is an expression', async () => {
    const all = await functions('if (mode == 2) { (*p) = 3; } if ((*p) == 3) { (*p) = 4; }')
    const settled = settledValues(all, new Map([['mode', 2]]), integerValue)
    const [first, second] = all[0]!.assignments.map((one) => ({...one, method: all[0]!}))
    expect(settled.source([first!])?.value).toBe('3')
    expect(settled.source([first!, second!])).toBeUndefined()
  })

  test.each([
    ['n', 'n'],
    ['this->n', 'n'],
    ['info.part.n', 'n'],
    ['n + 1', undefined],
    ['2', undefined],
    ['Count(n)', undefined],
    ['list[0].n', undefined],
  ])('%s names the variable %s', (expression, name) => expect(variableIn(expression)).toBe(name))

  test('has none that follows from the argument of one call of several', async () => {
    const [f, run] = await functions('n = p / 2;')
    const settled = settledValues([f!, run!, {...run!, name: 'Again'}], new Map(), integerValue)
    expect(settled.values.has('n')).toBe(false)
  })

  test('is hidden by a parameter of its name', async () => {
    const {functions: all} = await syntaxOf('void F(int mode) { n = mode; }\n')
    expect(settledValues(all, new Map([['mode', 2]]), integerValue).values.has('n')).toBe(false)
  })
})

describe('a question of the host', () => {
  const [definition] = parseOperatorDefinitions(`class Op : public OpDef {
    this->Input("x").DataType({ge::DT_BF16});
    this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
    this->Output("y").DataType({ge::DT_FLOAT16});
    this->Attr("keep").AttrType(OPTIONAL).Bool(true);
    this->Attr("groups").AttrType(OPTIONAL).Int(4);
    this->Attr("axis").AttrType(REQUIRED).Int();
    this->Attr("eps").AttrType(OPTIONAL).Float(0.5);
  };`)
  const scenario = {
    inputs: [{name: 'x', dtype: 'bfloat16', shape: [4, 160], range: [0, 1]}],
    outputs: [{name: 'y', dtype: 'int8', shape: [4]}],
    attributes: {groups: 8},
  } as unknown as Scenario
  const aliases = new Map([
    ['shape', 'context->GetInputShape(0)'],
    ['attrs', 'context->GetAttrs()'],
    ['keep', 'attrs->GetAttrPointer<bool>(0)'],
  ])
  const answers = answersOf(definition, scenario, aliases)
  const valueOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)

  test.each([
    ['context->GetInputShape(0)->GetStorageShape().GetDim(1)', '160'],
    ['context->GetOutputShape(0)->GetStorageShape().GetDim(0)', '4'],
    ['context->GetOutputShape(0)->GetStorageShape().GetDimNum()', '1'],
    ['shape->GetStorageShape().GetShapeSize()', '640'],
    [
      'context->GetInputShape(1)->GetStorageShape().GetDimNum()',
      'context->GetInputShape(1)->GetStorageShape().GetDimNum()',
    ],
    ['context->GetInputDesc(0)->GetDataType()', 'DT_BF16'],
    ['context->GetOutputDesc(0)->GetDataType()', 'DT_INT8'],
    ['*context->GetAttrs()->GetAttrPointer<bool>(0)', '1'],
    ['*keep', '1'],
    ['*attrs->GetInt(1) + 1', '8 + 1'],
    ['*attrs->GetInt(2)', '*context->GetAttrs()->GetInt(2)'],
    ['*attrs->GetAttrPointer<float>(3)', '*context->GetAttrs()->GetAttrPointer<float>(3)'],
    ['platform.GetCoreNumAiv() + platform.GetCoreNumAic()', '48 + 24'],
    ['Ops::Base::GetUbBlockSize(context)', '32'],
  ])('%s is answered with %s', (asked, answer) => expect(withAnswers(asked, answers, valueOf)).toBe(answer))

  test('is passed on by what does no arithmetic', () => {
    expect(isAlias('context->GetInputShape(0)')).toBe(true)
    expect(isAlias('2 * context->GetInputShape(0)')).toBe(false)
  })
})
