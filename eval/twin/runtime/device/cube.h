#ifndef TWIN_DEVICE_CUBE_H
#define TWIN_DEVICE_CUBE_H

#include "core.h"
#include "twin/cube_params.h"

namespace twin {

constexpr uint32_t kFractalBytes = 512;

/// One number of L0C (float or int32_t) as the fixpipe gives it out.
void ConvertResult(const uint8_t* from, uint8_t* to, Type dst, Type src, QuantMode_t mode, bool relu, uint64_t scale);

/// "wrong-position" unless `ok`.
void RequirePosition(const Local& t, const char* operand, bool ok, const char* expected);

}  // namespace twin

#endif
