import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {runCommand} from '../../../engine/subprocess.ts'
import {findCompilers} from '../../../eval/executors/toolchain.ts'
import {placeSources, readSources, writtenOut} from '../../../eval/executors/twin-sources.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const [compiler] = await findCompilers()

const forms = `#define TWIN_FORMS_PAIR(Name, OP, SENTENCE, ...) \\
    template <typename T>                          \\
    inline void Name(T a) {                        \\
        static_assert(oneOf<T, __VA_ARGS__>, SENTENCE); \\
        Run(#Name, OP);                            \\
    }

int after;
`
const uses = `/// The first.
TWIN_FORMS_PAIR(Relu, kRelu,
                "Relu takes half, float", half,
                float)

inline void Broken(int a, const char* b = "(",
                   int c) {
    Call(a,
         b);
}
#define OTHER(Name)         \\
    inline void Name(int a, \\
                     int b) {}
    static_assert(
        true, "yes");
ge::Status Queried(int a,
                   int b);
void Noted(int a,  // the first
           int b);
`

test('forms are written out where they are used, and heads stand on one line', () => {
  const headers = [
    {path: 'include/forms.h', text: forms},
    {path: 'include/uses.h', text: uses},
  ]
  const [defined, used] = writtenOut(headers)
  expect(defined).toEqual({path: 'include/forms.h', text: '\nint after;\n'})
  expect(used?.text).toBe(`/// The first.
template <typename T>
inline void Relu(T a) {
    static_assert(oneOf<T, half, float>, "Relu takes half, float");
    Run("Relu", kRelu);
}

inline void Broken(int a, const char* b = "(", int c) {
    Call(a,
         b);
}
#define OTHER(Name)         \\
    inline void Name(int a, \\
                     int b) {}
    static_assert(true, "yes");
ge::Status Queried(int a, int b);
void Noted(int a,  // the first
           int b);
`)
})

test.skipIf(compiler?.kind !== 'clang')('a note of clang quotes the whole declaration, and no macro', async () => {
  const folder = join(await temporaryFolder(), 'twin')
  const sources = await readSources()
  expect(sources.filter(({text}) => /TWIN_FORMS_\w+\(/.test(text)).map(({path}) => path)).toEqual([])
  await placeSources(folder, sources)
  const file = join(folder, 'wrong.cpp')
  await writeFile(file, '#include "kernel_operator.h"\nvoid f(AscendC::LocalTensor<half> h) { Relu(h, h, 8, 1, 8); }\n')
  const flags = ['-std=c++17', '-fsyntax-only', '-I', join(folder, 'include')]
  const {stderr} = await runCommand(compiler!.command, [...flags, file])
  const [tensors, repeats] = ['const LocalTensor<T>& dst, const LocalTensor<T>& src', 'const uint8_t repeatTime']
  const declared = `__aicore__ inline void Relu(${tensors}, uint64_t mask, ${repeats}, const UnaryRepeatParams& repeatParams) {`
  expect(stderr).toContain(`\n${declared}\n`)
  expect(stderr).not.toContain('expanded from macro')
})
