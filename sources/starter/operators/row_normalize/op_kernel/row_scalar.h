// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_NORMALIZE_ROW_SCALAR_H
#define ROW_NORMALIZE_ROW_SCALAR_H

#include "kernel_operator.h"

namespace RowNormalizeOp {
using namespace AscendC;

template <HardEvent Event>
__aicore__ inline void Synchronise()
{
    const event_t eventId = static_cast<event_t>(GetTPipePtr()->FetchEventID(Event));
    SetFlag<Event>(eventId);
    WaitFlag<Event>(eventId);
}

/// Takes result[0] from UB into a register: after the vector unit wrote it, before the vector unit writes it again.
__aicore__ inline float ReadScalar(const LocalTensor<float>& result)
{
    Synchronise<HardEvent::V_S>();
    const float value = result.GetValue(0);
    Synchronise<HardEvent::S_V>();
    return value;
}
} // namespace RowNormalizeOp

#endif // ROW_NORMALIZE_ROW_SCALAR_H
