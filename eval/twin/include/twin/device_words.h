// Last of the headers before a kernel's code: words that the device compiler does not know.
#ifndef TWIN_DEVICE_WORDS_H
#define TWIN_DEVICE_WORDS_H

#ifdef __CUDA__
#undef __CUDA__
#undef __CUDA_ARCH__
#pragma GCC poison thread_local _Thread_local __thread __int128 __int128_t __uint128_t _Float16 __bf16 _BitInt _ExtInt asm __asm __asm__ omp
#endif

#endif
