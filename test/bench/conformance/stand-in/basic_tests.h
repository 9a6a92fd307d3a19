// What unit tests of the basic API find around them. They are compiled, not run: they assert little.
#ifndef CONFORMANCE_BASIC_TESTS_H
#define CONFORMANCE_BASIC_TESTS_H

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

#include "api_checks.h"
#include "securec.h"

#undef EXPECT_EQ
#define EXPECT_EQ(a, b) STAND_IN_EXPECT((a) == (b))

namespace stand_in {
/// What a test says of a function that it replaces. Nothing is replaced, as nothing runs.
struct Mock {
    template <typename... A>
    Mock& stubs(A&&...) { return *this; }
    template <typename... A>
    Mock& expects(A&&...) { return *this; }
    template <typename... A>
    Mock& times(A&&...) { return *this; }
    template <typename... A>
    Mock& with(A&&...) { return *this; }
    template <typename... A>
    Mock& will(A&&...) { return *this; }
    template <typename... A>
    Mock& then(A&&...) { return *this; }
};
inline Mock mock;
}  // namespace stand_in

/// Functions may be overloaded or templates, so they are not named again.
#define MOCKER(...) stand_in::mock
#define MOCKER_CPP(...) stand_in::mock
struct GlobalMockObject {
    static void verify() {}
    static void reset() {}
};
template <typename T>
int returnValue(T) { return 0; }
template <typename T>
int invoke(T) { return 0; }
inline int once() { return 1; }
inline int never() { return 0; }
inline int exactly(int n) { return n; }
inline int atLeast(int n) { return n; }

namespace AscendC {
/// The kinds of core that a test says it runs on.
constexpr int AIV_TYPE = 1;
constexpr int AIC_TYPE = 2;
constexpr int MIX_TYPE = 3;
inline int standInCore = MIX_TYPE;
inline void CheckSyncState() {}
inline void SetBlockDim(int) {}
}  // namespace AscendC
using AscendC::standInCore;
#define g_coreType standInCore
#undef ASCEND_IS_AIV
#undef ASCEND_IS_AIC
#define ASCEND_IS_AIV (AscendC::standInCore != AscendC::AIC_TYPE)
#define ASCEND_IS_AIC (AscendC::standInCore != AscendC::AIV_TYPE)

#define GTEST_SKIP() return (void)stand_in::Sink()
#define SCOPED_TRACE(text) (void)0
#define EXPECT_NO_THROW(statement) statement
#define EXPECT_ANY_THROW(statement) statement
#define EXPECT_THROW(statement, what) statement
#define EXPECT_DEATH(statement, text) statement

/// Switches of the vendor's model of the cores.
enum class KernelMode { MIX_MODE, AIC_MODE, AIV_MODE, MIX_AIC_1_1, MIX_AIC_1_2 };
inline int32_t sub_block_idx = 0;
inline int32_t g_taskRation = 2;
inline uint8_t* g_sysWorkspaceReserved = nullptr;
inline void set_core_type(int) {}
namespace AscendC {
inline void SetKernelMode(KernelMode) {}
inline void* GmAlloc(size_t size) { return std::malloc(size); }
inline void GmFree(void* pointer) { std::free(pointer); }
}  // namespace AscendC

#endif
