// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_NORMALIZE_ROW_SCALAR_H
#define ROW_NORMALIZE_ROW_SCALAR_H

#include "kernel_operator.h"

namespace RowNormalizeOp {
template <AscendC::HardEvent Event>
__aicore__ inline void Synchronise()
{
    const event_t eventId = static_cast<event_t>(GetTPipePtr()->FetchEventID(Event));
    AscendC::SetFlag<Event>(eventId);
    AscendC::WaitFlag<Event>(eventId);
}

/// Takes result[0] from UB into a register: after the vector unit wrote it, before the vector unit writes it again.
__aicore__ inline float ReadScalar(const AscendC::LocalTensor<float>& result)
{
    Synchronise<AscendC::HardEvent::V_S>();
    const float value = result.GetValue(0);
    Synchronise<AscendC::HardEvent::S_V>();
    return value;
}
} // namespace RowNormalizeOp

#endif // ROW_NORMALIZE_ROW_SCALAR_H
