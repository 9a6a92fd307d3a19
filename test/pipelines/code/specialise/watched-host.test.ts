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
