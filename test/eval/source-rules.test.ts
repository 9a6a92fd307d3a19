import {describe, expect, test} from 'vitest'
import {inspectSources} from '../../eval/integrity.ts'

/** Rule and what was seen, of a text of the kernel. */
const said = (text: string, path = 'op_kernel/a.cpp') =>
  inspectSources([{path, text}]).map(({rule, seen}) => `${rule}: ${seen}`)

describe('functions of the system', () => {
  test.each<[string, string[]]>([
    ['fopen("a", "r");', ['calls-the-system: fopen(']],
    ['auto f = fopen;', ['calls-the-system: fopen']],
    ['__libc_fopen64("a");', ['calls-the-system: __libc_fopen64(']],
    ['::fopen("a");', ['calls-the-system: ::fopen(']],
    ['std::fopen("a");', ['calls-the-system: std::fopen(']],
    ['x.fopen();', []],
    ['x->fopen();', []],
    ['x.~fopen();', []],
    ['fopenx("a");', []],
    ['xfopen("a");', []],
    // Names that candidates also give to their own count where the function is called or handed on.
    ['exit(1);', ['calls-the-system: exit(']],
    ['(exit)(1);', ['calls-the-system: exit']],
    ['x.exit(1);', []],
    ['x->exit(1);', []],
    ['int exit;', []],
    ['exit:', []],
    ['goto exit;', []],
    ['auto f = exit;', ['calls-the-system: exit']],
    ['auto f = &exit;', ['calls-the-system: exit']],
    ['auto f = &other::exit;', []],
    ['auto f = &std::exit;', ['calls-the-system: std::exit']],
    ['auto f = &own::exit;', []],
    ['g(exit);', ['calls-the-system: exit']],
    ['g(1, exit);', ['calls-the-system: exit']],
    ['g(exit, 1);', ['calls-the-system: exit']],
    ['F f{exit};', ['calls-the-system: exit']],
    ['auto f = (F)exit;', ['calls-the-system: exit']],
    ['F g() { return exit; }', ['calls-the-system: exit']],
    ['auto f = a ? exit : b;', ['calls-the-system: exit']],
    ['auto f = a ? b : exit;', ['calls-the-system: exit']],
    ['auto f = *exit;', ['calls-the-system: exit']],
    ['auto f = exit + 1;', []],
    ['auto f = a + exit;', []],
    ['bool exit = true; g(exit);', []],
    ['struct S { int exit : 3; }; g(exit);', ['calls-the-system: exit']],
    ['bool exit = true; exit(1);', ['calls-the-system: exit(']],
    ['void g(vector<int> exit) { h(exit); }', []],
    ['return exit; g(exit);', ['calls-the-system: exit']],
  ])('%s', (text, findings) => {
    expect(said(text)).toEqual(findings)
  })
})

describe('what runs outside of the kernel', () => {
  test.each<[string, string[]]>([
    ['std::ofstream f;', ['runs-outside-the-kernel: std::ofstream']],
    ['ifstream f;', ['runs-outside-the-kernel: ifstream']],
    ['x.fstream();', []],
    ['basic_filebuf<char> b;', ['runs-outside-the-kernel: basic_filebuf']],
    ['std::jthread t;', ['runs-outside-the-kernel: std::jthread']],
    ['std::thread t(f);', ['runs-outside-the-kernel: std::thread']],
    ['std::filesystem::path p;', ['runs-outside-the-kernel: std::filesystem::']],
    ['thread t(f);', []],
    ['using namespace std; thread t(f);', ['runs-outside-the-kernel: thread']],
    ['using namespace std; thread = 1;', []],
    ['using namespace std; x.async(f);', []],
    ['using namespace std; (async)(f);', ['runs-outside-the-kernel: async']],
    ['using namespace std; async(f);', ['runs-outside-the-kernel: async(']],
    ['using namespace std; thread(f);', []],
    ['[[gnu::constructor]] void f() {}', ['runs-outside-the-kernel: gnu::constructor']],
    ['[[gnu::aligned(int{16}), gnu::constructor]] void f();', ['runs-outside-the-kernel: gnu::constructor']],
    ['__attribute__((constructor)) void f();', ['runs-outside-the-kernel: constructor']],
    ['__attribute((__destructor__)) void f();', ['runs-outside-the-kernel: __destructor__']],
    ['__attribute__((aligned(4), section("a"))) int x;', ['runs-outside-the-kernel: section(']],
    ['other((section("a")));', []],
    ['a[section];', []],
    ['a[b[section]];', []],
    ['int section = (1 + (section));', []],
    ['[[nodiscard]] int f(); int section;', []],
    ['[[x]]; section(1);', []],
    ['#pragma section ".init"', ['runs-outside-the-kernel: #pragma section']],
    ['#pragma GCC init', ['runs-outside-the-kernel: #pragma init']],
    ['#pragma clang fini', ['runs-outside-the-kernel: #pragma fini']],
    ['#pragma weak f', ['runs-outside-the-kernel: #pragma weak']],
    ['#pragma once', []],
    ['#pragma unroll section', []],
    ['#error section', []],
    ['_Pragma("weak f")', ['runs-outside-the-kernel: _Pragma("weak f")']],
    ['_Pragma("GCC init")', ['runs-outside-the-kernel: _Pragma("GCC init")']],
    ['_Pragma(" clang fini")', ['runs-outside-the-kernel: _Pragma(" clang fini")']],
    ['_Pragma("unroll")', []],
    ['_Pragma("unroll weak")', []],
  ])('%s', (text, findings) => {
    expect(said(text)).toEqual(findings)
  })
})

describe('headers', () => {
  test.each<[string, string[]]>([
    ['#include <thread>', ['forbidden-include: #include <thread>']],
    ['#include "unistd.h"', ['forbidden-include: #include "unistd.h"']],
    ['#include <sys/mman.h>', ['forbidden-include: #include <sys/mman.h>']],
    ['#include <experimental/any>', ['forbidden-include: #include <experimental/any>']],
    ['#include "/data/x.h"', ['forbidden-include: #include "/data/x.h"']],
    ['#include <torch/all.h>', ['forbidden-include: #include <torch/all.h>']],
    ['#include <my/torch/all.h>', []],
    ['#include <threads.h>', []],
    ['#include "kernel_operator.h"', []],
    ['#include "../../../home/x.h"', ['forbidden-include: #include "../../../home/x.h"']],
    ['#include "./../../tmp/x.h"', ['forbidden-include: #include "./../../tmp/x.h"']],
    ['#include "a/../../../tmp/x.h"', ['forbidden-include: #include "a/../../../tmp/x.h"']],
    ['#include "a//../../tmp/x.h"', []],
    ['#include "..//../tmp/x.h"', ['forbidden-include: #include "..//../tmp/x.h"']],
    ['#include "../tmp/x.h"', []],
    ['#include "../../a/tmp/x.h"', []],
    ['#include "../../libexec/x.h"', ['forbidden-include: #include "../../libexec/x.h"']],
    ['#embed "a.bin"', ['includes-bytes: #embed']],
    ['const char* a = ".inc" "bin";', ['includes-bytes: .incbin']],
    ['#include "golden_x.h"', ['reads-the-reference: golden_x']],
    ['const char* a = "module" ".py";', ['reads-the-reference: module.py']],
    ['const char* a = "module"; const char* b = ".py";', []],
    ['int golden_x = 1;', ['reads-the-reference: golden_x']],
    ['int my_golden_x = 1;', []],
  ])('%s', (text, findings) => {
    expect(said(text)).toEqual(findings)
  })
})

describe('finished operators and the judge', () => {
  test.each<[string, string[]]>([
    ['aclnnAdd(x);', ['calls-a-finished-operator: aclnnAdd(']],
    ['(aclnnAdd)(x);', ['calls-a-finished-operator: aclnnAdd']],
    ['auto f = &aclnnAdd;', ['calls-a-finished-operator: aclnnAdd']],
    ['auto f = aclnnAdd;', []],
    ['x->aclnnAdd(1);', []],
    ['aclnnadd(1);', []],
    ['at::add(x);', ['calls-a-finished-operator: at::']],
    ['x.at::add(x);', []],
    ['using namespace torch;', ['calls-a-finished-operator: torch']],
    ['namespace n = aten;', ['calls-a-finished-operator: aten']],
    ['namespace at {}', []],
    ['int x = at;', []],
    ['asm("nop");', ['inline-assembly: asm(']],
    ['__asm__ volatile("");', ['inline-assembly: __asm__']],
    ['x.asm_ = 1;', []],
    ['#ifdef TWIN_CORE\n#endif', ['touches-the-judge: #ifdef TWIN_CORE']],
    ['#if defined(_TWIN_X)\n#endif', ['touches-the-judge: #if _TWIN_X']],
    ['#undef __TWIN_X', ['touches-the-judge: #undef __TWIN_X']],
    ['int x = TWIN_UNIT;', ['touches-the-judge: TWIN_UNIT']],
    ['twin::reset();', ['touches-the-judge: twin::']],
    ['twin_host::reset();', ['touches-the-judge: twin_host::']],
    ['auto f = &twin_entry_a;', ['touches-the-judge: twin_entry_a']],
    ['int twin = 1;', []],
    ['twinned::reset();', []],
  ])('%s', (text, findings) => {
    expect(said(text)).toEqual(findings)
  })

  test.each([
    ['op_host/aclnn_add.cpp', []],
    ['op_host/aclnn_add.h', []],
    ['op_host/add.cpp', ['calls-a-finished-operator: aclnnAdd(']],
    ['aclnn_add.cpp', ['calls-a-finished-operator: aclnnAdd(']],
    ['op_host/aclnn_add.hpp', ['calls-a-finished-operator: aclnnAdd(']],
  ])('an interface of its own stands in files of that name: %s', (path, findings) => {
    expect(said('aclnnAdd(x);', path)).toEqual(findings)
  })
})

describe('numbers that are stored', () => {
  const many = (one: (at: number) => string) => Array.from({length: 128}, (_, at) => one(at)).join(' ')
  const different = ['stored-results: 128 different numbers in lists']
  test.each<[string, string, string[]]>([
    ['elements', `f(${many((at) => `{${at}},`)});`, different],
    ['elements with signs', `f(${many((at) => `{-${at}.5f},`)});`, different],
    ['elements of sums', many((at) => `{${at} + x};`), []],
    ['arguments of calls', many((at) => `f(${at}, x);`), []],
    ['at fixed places', many((at) => `a[${at}] = ${at};`), different],
    ['at places that are computed', many((at) => `a[i] = ${at};`), []],
    ['of variables', many((at) => `a = ${at};`), []],
    ['that are returned', many((at) => `return ${at};`), different],
    ['that are returned as part', many((at) => `return ${at} * x;`), []],
  ])('%s', (_, text, findings) => {
    expect(said(`void f() { ${text} }`)).toEqual(findings)
  })
})

test('what stands so far in that no declaration is as long counts as an attribute', () => {
  expect(said(`${'x '.repeat(2000)}constructor`)).toEqual([])
  expect(said(`${'x '.repeat(2001)}constructor`)).toEqual(['runs-outside-the-kernel: constructor'])
})
