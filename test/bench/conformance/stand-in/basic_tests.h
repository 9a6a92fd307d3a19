// What unit tests of the basic API find around them. They are compiled, not run: they assert little.
#ifndef CONFORMANCE_BASIC_TESTS_H
#define CONFORMANCE_BASIC_TESTS_H

#include <iostream>
#include <memory>
#include <vector>

#include "api_checks.h"

#undef EXPECT_EQ
#define EXPECT_EQ(a, b) STAND_IN_EXPECT((a) == (b))

namespace AscendC {
inline void CheckSyncState() {}
inline void SetBlockDim(int) {}
}  // namespace AscendC

#endif
