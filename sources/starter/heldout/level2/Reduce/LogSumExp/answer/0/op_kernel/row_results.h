// SPDX-License-Identifier: Apache-2.0
#ifndef LOG_SUM_EXP_ROW_RESULTS_H
#define LOG_SUM_EXP_ROW_RESULTS_H

#include <type_traits>

#include "kernel_operator.h"

namespace LogSumExpOp {
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

/// Gathers one scalar a row and writes them out in runs of `capacity`: one copy for many rows.
template <typename T>
class RowResults {
public:
    __aicore__ inline RowResults() {}

    /// out: the results of this core's rows.
    __aicore__ inline void Init(TPipe& pipe, const GlobalTensor<T>& out, uint32_t capacity)
    {
        out_ = out;
        capacity_ = capacity;
        pipe.InitBuffer(valuesBuf_, capacity * sizeof(float));
        pipe.InitBuffer(outQueue_, 1, capacity * sizeof(T));
    }

    __aicore__ inline void Push(float value)
    {
        valuesBuf_.Get<float>().SetValue(used_, value);
        ++used_;
        if (used_ == capacity_) {
            Flush();
        }
    }

    __aicore__ inline void Flush()
    {
        if (used_ == 0) {
            return;
        }
        LocalTensor<float> values = valuesBuf_.Get<float>();
        LocalTensor<T> out = outQueue_.template AllocTensor<T>();
        Synchronise<HardEvent::S_V>();
        if constexpr (std::is_same<T, float>::value) {
            Adds(out, values, 0.0f, used_);
        } else {
            Cast(out, values, RoundMode::CAST_RINT, used_);
        }
        Synchronise<HardEvent::V_S>();
        outQueue_.EnQue(out);
        out = outQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(used_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(out_[written_], out, copyParams);
        outQueue_.FreeTensor(out);
        written_ += used_;
        used_ = 0;
    }

private:
    TBuf<QuePosition::VECCALC> valuesBuf_;
    TQue<QuePosition::VECOUT, 1> outQueue_;
    GlobalTensor<T> out_;
    uint32_t capacity_ = 1;
    uint32_t used_ = 0;
    uint32_t written_ = 0;
};
} // namespace LogSumExpOp

#endif // LOG_SUM_EXP_ROW_RESULTS_H
