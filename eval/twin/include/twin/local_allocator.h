// Memory of the core given out one tensor after the other, without a TPipe. Source: Ascend C basic API, static tensor
// programming.
#ifndef TWIN_LOCAL_ALLOCATOR_H
#define TWIN_LOCAL_ALLOCATOR_H

#include "twin/tensor.h"

namespace AscendC {

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

__aicore__ constexpr inline Hardware GetPhyType(TPosition pos) {
    switch (pos) {
        case TPosition::VECIN:
        case TPosition::VECOUT:
        case TPosition::VECCALC: return Hardware::UB;
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::TSCM: return Hardware::L1;
        case TPosition::A2: return Hardware::L0A;
        case TPosition::B2: return Hardware::L0B;
        case TPosition::CO1: return Hardware::L0C;
        case TPosition::C2: return Hardware::BIAS;
        case TPosition::C2PIPE2GM: return Hardware::FIXBUF;
        default: return Hardware::GM;
    }
}

/// tileSize elements from the first free address on; the next tensor follows without a gap, so sizes keep starts
/// aligned. Violations: ub-overflow, local-overflow; unaligned-ub at the first use.
template <Hardware hard>
class LocalMemAllocator {
    static_assert(hard != Hardware::GM && hard != Hardware::MAX,
                  "LocalMemAllocator takes a memory of the core: UB, L1, L0A, L0B, L0C, BIAS or FIXBUF");

public:
    __aicore__ inline LocalMemAllocator() {}
    __aicore__ inline uint32_t GetCurAddr() const { return head_; }
    template <TPosition pos, class DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc() {
        return Alloc<pos, DataType>(tileSize);
    }
    template <TPosition pos, class DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize) {
        static_assert(GetPhyType(pos) == hard, "logic pos and hardware pos not matched.");
        LocalTensor<DataType> tensor(pos, head_, tileSize);
        head_ += tileSize * sizeof(DataType);
        return tensor;
    }
    template <class DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc() {
        return Alloc<kPosition, DataType>(tileSize);
    }
    template <class DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize) {
        return Alloc<kPosition, DataType>(tileSize);
    }

private:
    static constexpr TPosition kPosition = hard == Hardware::UB     ? TPosition::VECCALC
                                           : hard == Hardware::L1   ? TPosition::A1
                                           : hard == Hardware::L0A  ? TPosition::A2
                                           : hard == Hardware::L0B  ? TPosition::B2
                                           : hard == Hardware::L0C  ? TPosition::CO1
                                           : hard == Hardware::BIAS ? TPosition::C2
                                                                    : TPosition::C2PIPE2GM;
    uint32_t head_ = 0;
};

}  // namespace AscendC

#endif
