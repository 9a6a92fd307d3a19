import {expect, test} from 'vitest'
import {idleLines, watchedKernel} from '../../../../pipelines/code/specialise/watched-kernel.ts'

const kernel = `template <typename T>
__aicore__ inline void Process(int rows)
{
    if (rows > 4) {
        Whole();
    } else
        Tail(
            rows);
    for (int i = 0; i < rows; ++i)
        Step(i);
    switch (rows) {
        case 1:
        case 2:
            Two();
            break;
        default: {
            Other();
        }
    }
    if (rows == 7) Same();
    auto inner = [&]() {
        Hidden();
    };
}
__aicore__ constexpr int Twice(int n)
{
    return 2 * n;
}
__aicore__ inline int One() { return 1; }
`

test('each block on lines of its own prints its number where it starts', async () => {
  const {text, blocks} = await watchedKernel(kernel)
  expect(blocks).toEqual([
    [4, 23],
    [5, 5],
    [7, 8],
    [10, 10],
    [14, 15],
    [17, 18],
    [17, 17],
  ])
  expect(text).toContain('{ twin_watch_came(0);\n    if (rows > 4) { twin_watch_came(1);\n        Whole();')
  expect(text).toContain('{ twin_watch_came(2); Tail(\n            rows); }')
  expect(text).toContain('{ twin_watch_came(3); Step(i); }')
  expect(text).toContain('case 1:\n        case 2: twin_watch_came(4);\n')
  expect(text).toContain('default: twin_watch_came(5); { twin_watch_came(6);\n')
  // On the line of its condition it cannot be told from it; constants cannot print.
  expect(text).toContain('if (rows == 7) Same();')
  expect(text).toContain('auto inner = [&]() {\n        Hidden();')
  expect(text).toContain('constexpr int Twice(int n)\n{\n    return')
})

test('what did not print is idle, told by its outermost block', async () => {
  const {blocks} = await watchedKernel(kernel)
  const printed = (...numbers: number[]) => numbers.map((one) => `\u0002came ${one}\n`).join('')
  expect(idleLines(`[INFO] came 1\n${printed(0, 2)}text\n${printed(3, 4)}`, blocks)).toEqual([
    [5, 5],
    [17, 18],
  ])
  expect(idleLines(printed(0, 1, 2, 3, 4, 5, 6), blocks)).toEqual([])
  expect(idleLines(printed(3), blocks)).toEqual([[4, 23]])
})

test('nothing is said of a run whose printing is lost', async () => {
  const {blocks} = await watchedKernel(kernel)
  expect(idleLines('came 0\n', blocks)).toBeUndefined()
  const some = '\u0002came 0\n'
  const flood = '[DEBUG] round\n'
  expect(idleLines(some + flood.repeat(9000), blocks)).toHaveLength(5)
  expect(idleLines(some + flood.repeat(10_000), blocks)).toBeUndefined()
})
