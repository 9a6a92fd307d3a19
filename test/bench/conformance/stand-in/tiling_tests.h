// What tests of host queries find around them: the twin's host headers, and a chip that they may change.
#ifndef CONFORMANCE_TILING_TESTS_H
#define CONFORMANCE_TILING_TESTS_H

#include "gtest.h"
#include "twin_host/host.h"
#include "tiling/tiling_api.h"
#include "tiling/platform/platform_ascendc.h"

namespace stand_in {
inline fe::PlatFormInfos Chip() { return *fe::findPlatform(fe::currentSoc()); }
}  // namespace stand_in

/// The twin is one chip; a test that asks for another is not run.
inline void platfrom_stub_set_chip_version(const char*) {}
inline void platfrom_stub_set_npuarch(const char*) {}
namespace optiling {}
namespace matmul_tiling {
/// The arithmetic in which tests say what they expect.
namespace MathUtil {
inline int32_t CeilDivision(int32_t whole, int32_t piece) { return (whole + piece - 1) / piece; }
}  // namespace MathUtil
}  // namespace matmul_tiling

#endif
