#ifndef TWIN_DEVICE_CUBE_H
#define TWIN_DEVICE_CUBE_H

#include "device_core.h"
#include "twin/cube_params.h"

namespace twin {

constexpr uint32_t kFractalBytes = 512;

/// "wrong-position" unless `ok`.
void RequirePosition(const Local& t, const char* operand, bool ok, const char* expected);

}  // namespace twin

#endif
