// TPipe: gives out the unified buffer and event ids. One per core at a time.
#ifndef TWIN_TPIPE_H
#define TWIN_TPIPE_H

#include "twin/tbufpool.h"

namespace AscendC {

class TPipe {
public:
    __aicore__ inline TPipe() { twin::PipeBegin(this); }
    __aicore__ inline ~TPipe() { twin::PipeEnd(this); }
    TPipe(const TPipe&) = delete;
    __aicore__ inline TPipe& operator=(const TPipe&) {
        twin::PipeMoves(this);
        return *this;
    }

    __aicore__ inline void Init() { twin::PipeBegin(this); }
    /// Hands the events back. Plain buffers keep their memory until another TPipe gives it out; queues are gone.
    __aicore__ inline void Destroy() { twin::PipeDestroy(this); }
    /// Gives all buffers back; queues must be initialised again.
    __aicore__ inline void Reset() { twin::PipeReset(this); }

    /// num blocks of len bytes each, len rounded up to 32. num 1..64.
    /// Violations: ub-overflow, init-buffer (num, len, more than 64 buffers).
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    __aicore__ inline bool InitBuffer(TQueBind<src, dst, depth, mask>& que, uint8_t num, uint32_t len) {
        twin::InitQueue(&que.queue_, src, dst, depth, num, len);
        return true;
    }
    template <TPosition pos>
    __aicore__ inline bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
        twin::InitTBuf(&buf.buffer_, pos, len);
        return true;
    }
    template <TPosition pos, class T = TBuf<pos>>
    __aicore__ inline bool InitBuffer(TBuf<pos>&, uint8_t, uint32_t) {
        static_assert((T::isTQue), "TPipe::InitBuffer(T& que, uint8_t num, uint32_t len) not supports T as TBuf");
        return false;
    }

    template <class T>
    __aicore__ inline bool InitBufPool(T& bufPool, uint32_t len) {
        static_assert(T::isTbufPool, "InitBufPool takes a TBufPool");
        twin::InitPool(&bufPool.pool_, T::poolPos, 0, len);
        return true;
    }
    template <class T, class U>
    __aicore__ inline bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
        static_assert(T::isTbufPool && U::isTbufPool, "InitBufPool takes TBufPools");
        twin::InitSharedPool(&bufPool.pool_, 0, len, shareBuf.pool_);
        return true;
    }

    /// A free id of the event, not reserved.
    __aicore__ inline TEventID FetchEventID(HardEvent evt) { return static_cast<TEventID>(twin::FetchEvent(evt)); }
    template <HardEvent evt>
    __aicore__ inline TEventID FetchEventID() {
        return static_cast<TEventID>(twin::FetchEvent(evt));
    }
    template <HardEvent evt>
    __aicore__ inline TEventID AllocEventID() {
        return static_cast<TEventID>(twin::AllocEvent(evt));
    }
    template <HardEvent evt>
    __aicore__ inline void ReleaseEventID(TEventID id) {
        twin::ReleaseEvent(evt, id);
    }
    template <TPosition pos>
    __aicore__ inline LocalTensor<uint8_t> GetAbsAddr(int32_t offset, int32_t size) const {
        return LocalTensor<uint8_t>(pos, static_cast<uint32_t>(offset), static_cast<uint32_t>(size));
    }
};

__aicore__ inline TPipe* GetTPipePtr() { return static_cast<TPipe*>(twin::CurrentPipe()); }

/// The unified buffer that InitBuffer has not given out.
template <typename T, TPosition pos>
__aicore__ inline bool PopStackBuffer(LocalTensor<T>& popLocal) {
    static_cast<twin::Local&>(popLocal) = twin::RestOfUb();
    return popLocal.bytes > 0;
}

}  // namespace AscendC

using AscendC::GetTPipePtr;

#endif
