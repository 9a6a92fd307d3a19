import {describe, expect, test} from 'vitest'
import type {Confined} from '../../../eval/executors/sandbox.ts'
import {
  asAbsent,
  asToolFailure,
  compileFault,
  crashedTool,
  linkFault,
  toolFailure,
} from '../../../eval/executors/tool-fault.ts'

const twin = '/cache/twin-1'
const quiet = {signal: null, stdout: '', timedOut: false, truncated: false, killedBy: undefined, overtime: false}
const end = (stderr: string, how: Partial<Confined> = {}): Confined => ({...quiet, code: 1, stderr, ...how})

describe('a compiler that fails by itself is not the candidate', () => {
  test.each<[string, Confined]>([
    [
      'a header moved with its cache',
      end("fatal error: malformed or corrupted AST file: 'could not find '/a/x.h' referenced by 'k.pch''\n"),
    ],
    ['a torn header', end("fatal error: malformed or corrupted AST file: 'malformed block record in AST file'\n")],
    [
      'an empty header',
      end("error: input is not a PCH file: 'kernel.pch'\nfatal error: file 'kernel.pch' is not a valid PCH file\n"),
    ],
    [
      'a header torn after some errors',
      end("kernel.cpp:2:1: error: unknown type name 'x'\nx y;\n^\nfatal error: malformed or corrupted AST file\n"),
    ],
    [
      'no header of g++',
      end('<command-line>: fatal error: /cache/twin-1/gch/kernel.h: No such file or directory\nterminated.\n'),
    ],
    [
      'a torn header of g++',
      end('<command-line>: fatal error: cannot read PCH file: Success\ncompilation terminated.\n'),
    ],
    [
      'a twin header that is gone',
      end("In file included from unit.cpp:1:\n/cache/twin-1/include/a.h:3:1: fatal error: 'b.h' file not found\n"),
    ],
    [
      'an error of the twin that nothing ties to the candidate',
      end('/cache/twin-1/include/a.h:3:10: error: expected unqualified-id\n'),
    ],
    ['a crash of clang', end('PLEASE submit a bug report\n1.\tkernel.cpp:1:2: current parser token\n', {code: 139})],
    ['a crash of g++', end('kernel.cpp:1:1: internal compiler error: Segmentation fault\n', {code: 4})],
    [
      'a part of g++ that was killed',
      end('g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n'),
    ],
    ['a compiler that was killed', end('', {code: null, killedBy: 'SIGKILL'})],
    ['a compiler that is gone', end('sh: 1: exec: clang++-15: not found\n', {code: 127})],
    ['a sandbox that does not start', end("bwrap: Can't find source path /cache/twin-1: No such file or directory\n")],
    ['no room for the object', end("error: unable to open output file 'unit-0.o': 'No space left on device'\n")],
    [
      'a disk that is full when g++ writes',
      end(
        "kernel.cpp:9:1: fatal error: error writing to '/tmp/ccX.s': No space left on device\ncompilation terminated.\n",
      ),
    ],
    ['silence', end('')],
  ])('%s', (_, result) => expect(compileFault(result, twin)).toBeTypeOf('string'))

  test.each([126, 127])('a start that ends with %i, and is called one', (code) => {
    expect(compileFault(end('sh: 1: exec: clang++-15: no\n', {code}), twin)).toContain('could not be started')
  })
})

describe('a candidate is blamed for', () => {
  test.each<[string, Confined]>([
    ['an error in its own file', end("op_kernel/a.cpp:3:5: error: use of undeclared identifier 'b'\n")],
    [
      'more errors than are listed',
      end('kernel.cpp:3:5: error: a\nint a;\n    ^\nfatal error: too many errors emitted, stopping now\n'),
    ],
    ['a header of its own that is missing', end("op_host/a.cpp:1:10: fatal error: 'b.h' file not found\n")],
    [
      'templates without end',
      end('kernel.cpp:1:51: fatal error: recursive template instantiation exceeded maximum depth of 1024\n'),
    ],
    [
      'an instantiation that the twin refuses',
      end(
        '/cache/twin-1/include/a.h:9:3: error: static assertion failed\n' +
          "kernel.cpp:7:3: note: in instantiation of 'f' requested here\n",
      ),
    ],
    [
      'the same as g++ says it',
      end(
        "In file included from kernel_unit.cpp:9:\n/cache/twin-1/include/a.h: In instantiation of 'f':\n" +
          'kernel.cpp:7:3:   required from here\n/cache/twin-1/include/a.h:9:3: error: static assertion failed\n',
      ),
    ],
    [
      'text that looks like a failure of the tool',
      end('kernel.cpp:4:1: error: unknown type name\nfatal error: malformed or corrupted AST file\n^\n'),
    ],
    [
      'assembly that does not assemble',
      end('/runs/build-1/ccX.s: Assembler messages:\n/runs/build-1/ccX.s:12: Error: file not found: /etc/passwd\n'),
    ],
    ['inline assembly of clang', end('<inline asm>:1:2: error: invalid instruction mnemonic\n')],
    [
      'words of many lines that look like a failure of the tool',
      end(
        'kernel.cpp:1:1: error: static assertion failed: a\nb\n  ^\nfatal error: malformed or corrupted AST file\n' +
          'clang: error: clang frontend command failed with exit code 70\nstatic_assert(false, "a");\n^  ~~~\n' +
          '1 error generated.\n',
      ),
    ],
    ['running over time', end('', {code: null, killedBy: 'SIGXCPU', overtime: true})],
    [
      'running over time behind the driver of g++',
      end('g++: internal compiler error: CPU time limit exceeded signal terminated program cc1plus\n', {code: 4}),
    ],
    ['an object without end', end('', {code: null, killedBy: 'SIGXFSZ'})],
    [
      'more memory than every candidate has',
      end('LLVM ERROR: out of memory\nPLEASE submit a bug report\n', {code: 134}),
    ],
  ])('%s', (_, result) => expect(compileFault(result, twin)).toBeUndefined())
})

test("a crash is told apart from other failures, with the status 1 of clang's driver too", () => {
  const dump = 'PLEASE submit a bug report to x\nStack dump:\n1.\tkernel.cpp:1:2: current parser token\n'
  const driver = 'clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)\n'
  const tool = (how: Confined) => crashedTool(toolFailure(compileFault(how, twin) ?? ''))
  expect(tool(end(`kernel.cpp:1:1: error: no\nint\n^\n${dump}${driver}`))).toBe('compiler')
  expect(tool(end('fatal error: error in backend: Cannot select\nPLEASE submit a bug report\n', {code: 70}))).toBe(
    'compiler',
  )
  expect(tool(end('kernel.cpp:1:1: internal compiler error: x\n', {code: 4}))).toBe('compiler')
  expect(tool(end('', {code: null, killedBy: 'SIGSEGV'}))).toBe('compiler')
  expect(crashedTool(toolFailure(linkFault(end('', {code: 139, killedBy: 'SIGSEGV'})) ?? ''))).toBe('linker')
  expect(tool(end('', {code: null, killedBy: 'SIGKILL'}))).toBeUndefined()
  expect(tool(end('exec: clang++-15: not found\n', {code: 127}))).toBeUndefined()
  expect(crashedTool(new Error('the compiler crashed, status 1: x'))).toBeUndefined()
})

test('what a machine is short of for a while is no verdict, and a file that is not read is not a missing one', () => {
  const system = (code: string) => Object.assign(new Error(code), {code})
  for (const code of ['ENFILE', 'EAGAIN', 'ENOMEM', 'EMFILE', 'EIO', 'ETXTBSY', 'ESTALE', 'EBUSY', 'ENOTEMPTY'])
    expect(asToolFailure(system(code), '/w')).toMatchObject({code: 'executor-failed', scope: 'record'})
  expect(asAbsent(system('ENOENT'))).toBeUndefined()
  expect(asAbsent(system('ELOOP'))).toBeUndefined()
  expect(() => asAbsent(system('EMFILE'))).toThrow('EMFILE')
  expect(() => asAbsent(system('ERR_FS_FILE_TOO_LARGE'))).toThrow('TOO_LARGE')
})

test('a linker names what the candidate lacks; everything else is the tool', () => {
  expect(linkFault(end('ld.lld: error: undefined symbol: nowhere()\n'))).toBeUndefined()
  expect(linkFault(end("ld: unit-0.o: in function `f': undefined reference to `nowhere()'\n"))).toBeUndefined()
  expect(linkFault(end('ld.lld: error: duplicate symbol: f()\n'))).toBeUndefined()
  expect(linkFault(end('ld.lld: error: cannot open /c/libtwin.so: No such file or directory\n'))).toMatch(/libtwin/)
  expect(linkFault(end('/cache/twin-1/libtwin.so: file not recognized: file truncated\n'))).toMatch(/truncated/)
  expect(linkFault(end('ld.lld: error: undefined symbol: f()\n', {code: 139}))).toMatch(/139/)
  expect(linkFault(end('', {code: null, killedBy: 'SIGBUS'}))).toMatch(/SIGBUS/)
})

test('a full disk stops the run, every other failure is one of the record', () => {
  const full = "unable to open output file: 'No space left on device'"
  expect(toolFailure(full)).toMatchObject({code: 'disk-full', scope: 'run'})
  expect(toolFailure(full, {spaceLeft: true})).toMatchObject({code: 'executor-failed', scope: 'record'})
  expect(toolFailure('the compiler was ended by SIGSEGV')).toMatchObject({code: 'executor-failed', scope: 'record'})
})
