// TBufPool: a piece of UB or L1 to divide by hand, or to share between stages of a kernel. Source: Ascend C basic API,
// resource management.
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
/// Of a pool of the kernel's own: what stands for its block `offset` of `handles`, the address behind what it has given
/// out, and how many blocks that were. Violation: init-buffer.
uint8_t* PoolHandle(uint16_t pool, uint32_t offset, uint32_t handles);
uint32_t PoolAddress(uint16_t pool);
void SetPoolAddress(uint16_t pool, uint32_t address);
uint32_t PoolBuffers(uint16_t pool);
void SetPoolBuffers(uint16_t pool, uint32_t buffers);
}  // namespace twin

namespace AscendC {

class TPipe;

namespace twin_detail {
template <TPosition pos>
inline constexpr bool canPool = pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::VECCALC ||
                                pos == TPosition::A1 || pos == TPosition::B1 || pos == TPosition::C1;
}  // namespace twin_detail

/// At most 16 buffers. Violations: init-buffer, ub-overflow, local-overflow, wrong-position, pool-in-use.
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
public:
    static constexpr TPosition poolPos = pos;
    static constexpr bool isTbufPool = true;
    static_assert(twin_detail::canPool<pos>, "TBufPool is in UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)");

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
    template <TPosition bufPos, class T = TBuf<bufPos>>
    __aicore__ inline bool InitBuffer(TBuf<bufPos>&, uint8_t, uint32_t) {
        static_assert((T::isTQue), "TBufPool::InitBuffer(T& que, uint8_t num, uint32_t len) not supports T as TBuf");
        return false;
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

/// Makes a class with InitBuffer of its own a TBufPool, whose blocks lie where the class likes, may be apart and may
/// share memory. After Reset neither pool nor blocks are in use any more (page EXTERN_IMPL_BUFPOOL). A semicolon
/// follows.
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)                                            \
public:                                                                                                   \
    static constexpr AscendC::TPosition poolPos = POSITION;                                               \
    static constexpr bool isTbufPool = true;                                                              \
    static_assert(AscendC::twin_detail::canPool<POSITION>,                                                \
                  "a TBufPool is in UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1)");                     \
    __aicore__ inline void Init() { pool_ = 0; }                                                          \
    __aicore__ inline void Reset() { twin::ResetPool(pool_); }                                            \
    __aicore__ inline AscendC::TBufHandle GetBufHandle(uint8_t offset) {                                  \
        return twin::PoolHandle(pool_, offset, BUFID_SIZE);                                               \
    }                                                                                                     \
    __aicore__ inline void SetCurAddr(uint32_t curAddr) { twin::SetPoolAddress(pool_, curAddr); }         \
    __aicore__ inline uint32_t GetCurAddr() { return twin::PoolAddress(pool_); }                          \
    __aicore__ inline void SetCurBufSize(uint8_t curBufSize) { twin::SetPoolBuffers(pool_, curBufSize); } \
    __aicore__ inline uint8_t GetCurBufSize() { return static_cast<uint8_t>(twin::PoolBuffers(pool_)); }  \
                                                                                                          \
private:                                                                                                  \
    friend class AscendC::TPipe;                                                                          \
    template <AscendC::TPosition, AscendC::TPosition, int32_t, auto>                                      \
    friend class AscendC::TQueBind;                                                                       \
    template <AscendC::TPosition>                                                                         \
    friend class AscendC::TBuf;                                                                           \
    template <AscendC::TPosition, uint32_t>                                                               \
    friend class AscendC::TBufPool;                                                                       \
    uint16_t pool_ = 0

#endif
