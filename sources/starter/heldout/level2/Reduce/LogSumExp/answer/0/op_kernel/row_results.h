// SPDX-License-Identifier: Apache-2.0
#ifndef LOG_SUM_EXP_ROW_RESULTS_H
#define LOG_SUM_EXP_ROW_RESULTS_H

#include <type_traits>

#include "kernel_operator.h"

namespace LogSumExpOp {
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

/// Gathers one scalar a row and writes them out in runs of `capacity`: one copy for many rows.
template <typename T>
class RowResults {
public:
    __aicore__ inline RowResults() {}

    /// out: the results of this core's rows.
    __aicore__ inline void Init(AscendC::TPipe& pipe, const AscendC::GlobalTensor<T>& out, uint32_t capacity)
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
        AscendC::LocalTensor<float> values = valuesBuf_.Get<float>();
        AscendC::LocalTensor<T> out = outQueue_.template AllocTensor<T>();
        Synchronise<AscendC::HardEvent::S_V>();
        if constexpr (std::is_same<T, float>::value) {
            AscendC::Adds(out, values, 0.0f, used_);
        } else {
            AscendC::Cast(out, values, AscendC::RoundMode::CAST_RINT, used_);
        }
        Synchronise<AscendC::HardEvent::V_S>();
        outQueue_.EnQue(out);
        out = outQueue_.template DeQue<T>();
        const AscendC::DataCopyExtParams copyParams{1, static_cast<uint32_t>(used_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPad(out_[written_], out, copyParams);
        outQueue_.FreeTensor(out);
        written_ += used_;
        used_ = 0;
    }

private:
    AscendC::TBuf<AscendC::QuePosition::VECCALC> valuesBuf_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue_;
    AscendC::GlobalTensor<T> out_;
    uint32_t capacity_ = 1;
    uint32_t used_ = 0;
    uint32_t written_ = 0;
};
} // namespace LogSumExpOp

#endif // LOG_SUM_EXP_ROW_RESULTS_H
