// Which axes of a shape are kept (A) and reduced (R), outermost first. Source: Ascend C high-level API, reductions.
#ifndef TWIN_REDUCE_PATTERN_H
#define TWIN_REDUCE_PATTERN_H

#include <cstdint>

namespace AscendC {

enum class ReducePattern : uint32_t { AR = 0, RA = 1, R, ARA, ARAR, ARARA, ARARAR, ARARARA, ARARARAR, ARARARARA, RAR, RARA, RARAR, RARARA, RARARAR, RARARARA };

}  // namespace AscendC

#endif
