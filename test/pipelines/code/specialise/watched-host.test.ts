import {expect, test} from 'vitest'
import {printedSteps, watchedHost} from '../../../../pipelines/code/specialise/watched-host.ts'

const host = `constexpr int64_t Twice(int64_t n) { int64_t two = 2; return n * two; }
static ge::graphStatus Tiling(gert::TilingContext* context, int64_t cores)
{
    int64_t rows = 7;
    auto shape = context->GetInputShape(0);
    if (rows > cores)
        rows = cores;
    rows += 1;
    GetSizes(context, cores, rows, DT_FLOAT);
    tiling->rows = rows / 2;
    tiling.set_cores(cores);
    context->SetBlockDim(cores);
    auto later = [&]() { int64_t hidden = 1; return hidden; };
    return ge::GRAPH_SUCCESS;
}
`

test('each value that a function gives a name is printed behind its statement, under its number', async () => {
  const {text, watched} = await watchedHost(host, 5)
  expect(watched).toEqual([
    {name: 'rows', expression: '7'},
    {name: 'shape', expression: 'context->GetInputShape(0)'},
    {name: 'rows', expression: 'cores'},
    // What it held before counts, too.
    {name: 'rows', expression: ''},
    {name: 'context', expression: ''},
    {name: 'cores', expression: ''},
    {name: 'rows', expression: ''},
    {name: 'tiling->rows', expression: 'rows / 2'},
    {name: 'set_cores', expression: 'cores'},
    {name: 'cores', expression: ''},
    {name: 'SetBlockDim', expression: 'cores'},
    {name: 'cores', expression: ''},
    {name: 'later', expression: '[&]() { int64_t hidden = 1; return hidden; }'},
  ])
  expect(text).toContain('int64_t rows = 7; twin_watch::seen(5, rows);')
  // A branch of one statement gets brackets.
  expect(text).toContain('{ rows = cores; twin_watch::seen(7, rows); }')
  expect(text).toContain('tiling->rows = rows / 2; twin_watch::seen(12, tiling->rows);')
  expect(text).toContain('context->SetBlockDim(cores); twin_watch::seen(15, (cores)); twin_watch::seen(16, cores);')
  // Constants cannot print.
  expect(text).toContain('{ int64_t two = 2; return n * two; }')
})

test('what is printed is read in its order, without what came often and what others print', () => {
  const watched = [
    {name: 'a', expression: '1'},
    {name: 'i', expression: 'i + 1'},
    {name: 'b', expression: 'a * 0.5'},
  ]
  const line = (place: number, value: string) => `\u0002seen ${place} ${value}\n`
  const loop = [1, 2, 3, 4, 5].map((value) => line(1, String(value))).join('')
  const printed = `[INFO] seen 0 9\n${line(0, '7')}${loop}text\n${line(2, '3.5')}${line(9, '1')}${line(0, 'nan')}`
  expect(printedSteps(printed, watched)).toEqual([
    {name: 'a', expression: '1', value: 7},
    {name: 'b', expression: 'a * 0.5', value: 3.5},
  ])
  // Four times are told.
  expect(printedSteps(loop.replace(/.*\n$/, ''), watched).map(({value}) => value)).toEqual([1, 2, 3, 4])
})

const from = 3

/** What stands in a function whose body is given, behind what prints. */
async function printing(body: string, before = 'void F(int n, int m)'): Promise<string> {
  const {text} = await watchedHost(`${before} ${body}\n`, from)
  return text.slice(text.indexOf(before) + before.length + 1, -1).replaceAll('twin_watch::seen', 'seen')
}

test.each<[name: string, body: string, printed: string]>([
  ['a declaration of several', '{ int a = 1, b = 2; }', '{ int a = 1, b = 2; seen(3, a); seen(4, b); }'],
  [
    'not one without a value',
    '{ int a; int b{}; int* c = &n; }',
    '{ int a; int b{}; seen(3, b); int* c = &n; seen(4, c); }',
  ],
  ['a field, by what it is written as', '{ t->rows  = n * 2; }', '{ t->rows  = n * 2; seen(3, t->rows); }'],
  ['not one of a list', '{ a[0] = n; (*p) = n; }', '{ a[0] = n; (*p) = n; }'],
  ['what is handed to the launch', '{ c->SetTilingKey(n + 1); }', '{ c->SetTilingKey(n + 1); seen(3, (n + 1)); }'],
  ['but not two values at once', '{ t.set_all(1, 2); t.set_none(); }', '{ t.set_all(1, 2); t.set_none(); }'],
  ['nor what other calls are handed', '{ t.reset_rows(1); c->SetBlock(1); }', '{ t.reset_rows(1); c->SetBlock(1); }'],
  [
    'variables that a call may set, each once, of calls within it, too',
    '{ int a = 0; Get(a, n, G(a, m), other, a + 1); }',
    '{ int a = 0; seen(3, a); Get(a, n, G(a, m), other, a + 1); seen(4, a); seen(5, n); seen(6, m); }',
  ],
  ['of else', '{ if (n) { } else m = 1; }', '{ if (n) { } else { m = 1; seen(3, m); } }'],
  [
    'of loops',
    '{ while (n) m = 1; for (;;) m = 2; }',
    '{ while (n) { m = 1; seen(3, m); } for (;;) { m = 2; seen(4, m); } }',
  ],
  ['of cases', '{ switch (n) { case 1: m = 1; break; } }', '{ switch (n) { case 1: m = 1; seen(3, m); break; } }'],
  ['not what a loop declares', '{ for (int i = 0; i < n; i++) { } }', '{ for (int i = 0; i < n; i++) { } }'],
  ['not what a condition declares', '{ if (int a = n) { } }', '{ if (int a = n) { } }'],
  ['nor what is only counted', '{ n++; n; }', '{ n++; n; }'],
  [
    'of a lambda nothing',
    '{ auto f = [&](int k) { int h = k; m = 1; }; }',
    '{ auto f = [&](int k) { int h = k; m = 1; }; seen(3, f); }',
  ],
  [
    'in any order of the text',
    '{ n = 1; int a = 2; n = 3; }',
    '{ n = 1; seen(3, n); int a = 2; seen(4, a); n = 3; seen(5, n); }',
  ],
])('printed is %s', async (_, body, printed) => expect(await printing(body)).toBe(printed))

test.each<[before: string, prints: boolean]>([
  ['int F(int n)', true],
  ['constexpr int F(int n)', false],
  ['static constexpr int F(int n)', false],
  ['int constexprOf(int n)', true],
])('whether %s may print: %s', async (before, prints) => {
  const body = '{ constexpr int k = 2; n = k; }'
  const printed = '{ constexpr int k = 2; seen(3, k); n = k; seen(4, n); }'
  expect(await printing(body, before)).toBe(prints ? printed : body)
})

test('a function that is only declared, or taken as it is, has nothing to print', async () => {
  const text = 'int F(int n);\nclass K { K() = default; };\n'
  const {text: left, watched} = await watchedHost(text, 0)
  expect(left.endsWith(`// namespace twin_watch\n${text}`)).toBe(true)
  expect(watched).toEqual([])
})
