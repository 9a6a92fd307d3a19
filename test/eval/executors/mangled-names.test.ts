import {expect, test} from 'vitest'
import {nameScopes, readableName} from '../../../eval/executors/mangled-names.ts'

test.each([
  ['main', 'main'],
  ['_Z3addv', 'add'],
  ['_Z3addIiEvT_', 'add'],
  ['_Z1fILi3EEvv', 'f'],
  ['_ZL3foo', 'foo'],
  ['_ZN7AscendC8DataCopyEv', 'AscendC::DataCopy'],
  ['_ZNK1A3getEv', 'A::get'],
  ['_ZN1a1bE', 'a::b'],
  // Template arguments are types, numbers, packs, other functions; none of them is a scope.
  ['_ZN1AIfE4CopyEi', 'A::Copy'],
  ['_ZN1A4CopyIfLb1EEEvPT_', 'A::Copy'],
  ['_ZN1AILi32EE3runEv', 'A::run'],
  ['_ZN1AILin5EE1fEv', 'A::f'],
  ['_ZN1AIJifEE3runEv', 'A::run'],
  ['_ZN1AIXadL_Z3foovEEE3runEv', 'A::run'],
  ['_ZN1AIN2ns1BIiEEE3runEv', 'A::run'],
  ['_ZNSt6vectorIiSaIiEE9push_backERKi', 'std::vector::push_back'],
  ['_ZSt4cout', 'std::cout'],
  ['_ZStL8__ioinit', 'std::__ioinit'],
  ['_ZN12_GLOBAL__N_13fooEv', 'foo'],
  // Constructors and destructors have the name of their class.
  ['_ZN1AC1Ev', 'A::A'],
  ['_ZN2ns1AIfEC2Ei', 'ns::A::A'],
  ['_ZN1AD0Ev', 'A::~A'],
  ['_ZN1AD2Ev', 'A::~A'],
  // Virtual tables, type information, guards of variables.
  ['_ZTV3Foo', 'Foo'],
  ['_ZTVN1a3FooE', 'a::Foo'],
  ['_ZTI1A', 'A'],
  ['_ZTS1A', 'A'],
  ['_ZTT1A', 'A'],
  ['_ZZ3runvE5count', 'run::count'],
  ['_ZGVZ3runvE5count', 'run::count'],
  ['_ZZN1a3fooEvE1x', 'a::foo::x'],
  ['_ZGVN1a1bE', 'a::b'],
  ['_Znwm', 'operator new(unsigned long)'],
  ['_ZdaPvm', 'operator delete[](void*, unsigned long)'],
  ['_Z', '_Z'],
])('%s is %s', (symbol, name) => {
  expect(readableName(symbol)).toBe(name)
})

test('a name that is no C++ name is its own scope', () => {
  expect(nameScopes('memcpy')).toEqual(['memcpy'])
  expect(nameScopes('_ZN7AscendC5Local3runEv')).toEqual(['AscendC', 'Local', 'run'])
})
