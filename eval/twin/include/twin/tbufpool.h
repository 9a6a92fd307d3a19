// TBufPool: a piece of UB or L1 to divide by hand, or to share between stages of a kernel. Source: Ascend C basic API, resource management.
#ifndef TWIN_TBUFPOOL_H
#define TWIN_TBUFPOOL_H

#include "twin/tque.h"

namespace twin {
/// parent 0: the TPipe.
void InitPool(uint16_t* pool, TPosition position, uint16_t parent, uint32_t bytes);
void InitSharedPool(uint16_t* pool, uint16_t parent, uint32_t bytes, uint16_t shared);
/// Between these two, buffers are taken out of the pool.
void DividePool(uint16_t pool, TPosition position);
void DividedPool();
void ResetPool(uint16_t pool);
}  // namespace twin

namespace AscendC {

/// At most 16 buffers. Violations: init-buffer, ub-overflow, local-overflow, wrong-position, pool-in-use.
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
public:
    static constexpr TPosition poolPos = pos;
    static constexpr bool isTbufPool = true;
    static_assert(pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC || pos == TPosition::A1 || pos == TPosition::B1 || pos == TPosition::C1,
                  "TBufPool is in UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)");

    __aicore__ inline TBufPool() {}
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    __aicore__ inline bool InitBuffer(TQueBind<src, dst, depth, mask>& que, uint8_t num, uint32_t len) {
        twin::DividePool(pool_, pos);
        twin::InitQueue(&que.queue_, src, dst, depth, num, len);
        twin::DividedPool();
        return true;
    }
    template <TPosition bufPos>
    __aicore__ inline bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
        twin::DividePool(pool_, bufPos);
        twin::InitTBuf(&buf.buffer_, bufPos, len);
        twin::DividedPool();
        return true;
    }
    template <class T>
    __aicore__ inline bool InitBufPool(T& bufPool, uint32_t len) {
        static_assert(T::isTbufPool, "InitBufPool takes a TBufPool");
        twin::InitPool(&bufPool.pool_, T::poolPos, pool_, len);
        return true;
    }
    /// In the memory of shareBuf, all of it.
    template <class T, class U>
    __aicore__ inline bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
        static_assert(T::isTbufPool && U::isTbufPool, "InitBufPool takes TBufPools");
        twin::InitSharedPool(&bufPool.pool_, pool_, len, shareBuf.pool_);
        return true;
    }
    /// Before another pool uses the memory. The buffers stay, what they hold does not.
    __aicore__ inline void Reset() { twin::ResetPool(pool_); }

private:
    friend class TPipe;
    template <TPosition otherPos, uint32_t otherSize>
    friend class TBufPool;
    uint16_t pool_ = 0;
};

}  // namespace AscendC

#endif
