import {expect, test} from 'vitest'
import {foreignImports} from '../../eval/builds.ts'

test('what reaches out of the process is foreign, under whatever name the text had it', () => {
  const reaching = [
    'getenv fopen fopen64 open openat read system popen execve fork syscall mmap dlopen dlsym socket signal sigaction',
    'raise setrlimit prctl pthread_create environ ptrace kill unlink rename opendir',
    '_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode _ZNSt6thread4joinEv',
    '_ZNSt10filesystem6removeERKNS_7__cxx114pathE _ZNSt13random_device9_M_getvalEv',
  ].flatMap((names) => names.split(' '))
  expect(foreignImports({imports: reaching})).toEqual(reaching)
})

test('what operators are made of is not', () => {
  const common = [
    'memcpy memset memcpy_s strlen strncmp printf puts snprintf __snprintf_chk __memcpy_chk malloc free abort stderr',
    'expf sqrtf ceil floorf pow log2 logbf atan2f llround __cxa_guard_acquire __cxa_throw __gxx_personality_v0',
    '_Unwind_Resume __dso_handle __cxa_atexit strtol __isoc23_strtol __errno_location __stack_chk_fail',
    '_Znwm _ZdlPvm _ZSt4cout _ZNSt8ios_base4InitC1Ev _ZN4gert13TilingContextD1Ev _ZNSt7__cxx1112basic_stringIcEC1Ev',
  ].flatMap((names) => names.split(' '))
  expect(foreignImports({imports: common})).toEqual([])
  expect(foreignImports({})).toEqual([])
})
