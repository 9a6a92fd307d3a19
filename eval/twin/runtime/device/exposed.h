// What a kernel stores in UB through an address.
#ifndef TWIN_DEVICE_EXPOSED_H
#define TWIN_DEVICE_EXPOSED_H

#include "core.h"

namespace twin {

/// An address leaves the twin's sight: what is stored through it shows in the bytes from here on.
void WatchExposed(Core& c, uint32_t begin, uint32_t end);
/// "pipe-hazard" when the bytes hold a store that nothing orders before the instruction.
void CheckExposed(Core& c, const Local& t, const char* operand, uint32_t begin, uint64_t bytes, pipe_t pipe);
/// An instruction writes the bytes before the next call.
void WriteExposed(Core& c, uint32_t begin, uint64_t bytes);
/// All stores so far are ordered before what comes.
void SettleExposed(Core& c);

}  // namespace twin

#endif
