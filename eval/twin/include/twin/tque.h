// TQueBind, TQue, TBuf: queues and plain buffers over the unified buffer.
#ifndef TWIN_TQUE_H
#define TWIN_TQUE_H

#include "twin/tensor.h"

namespace AscendC {

struct TQueConfig {
    bool nd2nz = false;
    bool nz2nd = false;
    bool scmBlockGroup = false;
    uint32_t bufferLen = 0;
    uint32_t bufferNumber = 0;
    uint32_t consumerSize = 0;
    TPosition consumer[8] = {};
    bool enableStaticEvtId = false;
    bool enableLoopQueue = false;
};

/// Queue from the producer's position to the consumer's. `depth` is how many tensors may stand enqueued at once;
/// the number of memory blocks is given to TPipe::InitBuffer.
/// State of a block: free -AllocTensor-> allocated -EnQue-> enqueued -DeQue-> dequeued -FreeTensor-> free.
/// Violations: alloc-deadlock, enque-wrong-state, queue-depth, deque-empty, double-free, foreign-tensor,
/// queue-not-initialised.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    static constexpr TPosition srcPosition = src;
    static constexpr TPosition dstPosition = dst;
    static constexpr int32_t queDepth = depth;
    static constexpr bool isTQue = true;

    __aicore__ inline TQueBind() {}
    template <typename T>
    __aicore__ inline LocalTensor<T> AllocTensor() {
        return LocalTensor<T>(twin::QueueAlloc(queue_));
    }
    template <typename T>
    __aicore__ inline void AllocTensor(LocalTensor<T>& tensor) {
        static_cast<twin::Local&>(tensor) = twin::QueueAlloc(queue_);
    }
    template <typename T>
    __aicore__ inline void FreeTensor(LocalTensor<T>& tensor) {
        twin::QueueFree(queue_, tensor);
    }
    template <typename T>
    __aicore__ inline bool EnQue(const LocalTensor<T>& tensor) {
        return twin::QueueEnque(queue_, tensor);
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline bool EnQue(const LocalTensor<T>& tensor) {
        return twin::QueueEnque(queue_, tensor);
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> DeQue() {
        return LocalTensor<T>(twin::QueueDeque(queue_));
    }
    template <typename T>
    __aicore__ inline void DeQue(LocalTensor<T>& tensor) {
        static_cast<twin::Local&>(tensor) = twin::QueueDeque(queue_);
    }
    __aicore__ inline TBufHandle DeQue() { return twin::QueueDeque(queue_).data; }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline LocalTensor<T> DeQue() {
        return LocalTensor<T>(twin::QueueDeque(queue_));
    }
    __aicore__ inline bool VacantInQue() { return twin::QueueHasVacancy(queue_); }
    __aicore__ inline bool HasTensorInQue() { return twin::QueueHasTensor(queue_); }
    __aicore__ inline int32_t GetTensorCountInQue() { return twin::QueueCount(queue_); }
    __aicore__ inline bool HasIdleBuffer() { return twin::QueueHasIdle(queue_); }
    /// For InitBuffer of a TBufPool of the kernel's own: num blocks, each of which InitBufHandle places in the pool, at
    /// an address of its memory. Blocks may share memory. Violations: init-buffer, wrong-position, unaligned-ub,
    /// ub-overflow, local-overflow.
    __aicore__ inline void InitStartBufHandle(TBufHandle startBufhandle, uint8_t num, uint32_t len) {
        twin::StartQueue(&queue_, src, dst, depth, startBufhandle, num);
    }
    template <typename T>
    __aicore__ inline void InitBufHandle(T* bufPool, uint32_t index, TBufHandle bufhandle, uint32_t curPoolAddr,
                                         uint32_t len) {
        twin::PlaceInQueue(queue_, bufPool->pool_, index, bufhandle, curPoolAddr, len);
    }
    __aicore__ inline void FreeAllEvent() { twin::QueueFreeEvents(queue_); }

protected:
    friend class TPipe;
    template <TPosition poolPos, uint32_t bufIDSize>
    friend class TBufPool;
    uint32_t queue_ = 0;
};

namespace twin_detail {
constexpr TPosition Producer(TPosition position) {
    switch (position) {
        case TPosition::VECOUT:
        case TPosition::VECCALC:
        case TPosition::CO1:
        case TPosition::CO2: return position;
        case TPosition::A2: return TPosition::A1;
        case TPosition::B2: return TPosition::B1;
        case TPosition::C2: return TPosition::C1;
        default: return TPosition::GM;
    }
}
constexpr TPosition Consumer(TPosition position) {
    switch (position) {
        case TPosition::VECOUT:
        case TPosition::CO2: return TPosition::GM;
        case TPosition::CO1: return TPosition::CO2;
        default: return position;
    }
}
}  // namespace twin_detail

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<twin_detail::Producer(pos), twin_detail::Consumer(pos), depth, mask> {
public:
    __aicore__ inline TQue() = default;
};

/// One block of memory without queue state: the kernel orders the pipes itself.
template <TPosition pos = TPosition::LCM>
class TBuf {
public:
    static constexpr bool isTQue = false;

    __aicore__ inline TBuf() = default;
    template <typename T>
    __aicore__ inline LocalTensor<T> Get() {
        return LocalTensor<T>(twin::TBufView(buffer_, 0, 0, true));
    }
    /// len in elements. Violation: out-of-buffer.
    template <typename T>
    __aicore__ inline LocalTensor<T> Get(uint32_t len) {
        return LocalTensor<T>(twin::TBufView(buffer_, 0, twin::bytesOf<T>(len), false));
    }
    /// size in elements, bufOffset in bytes.
    template <typename T>
    __aicore__ inline LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) {
        return LocalTensor<T>(twin::TBufView(buffer_, bufOffset, twin::bytesOf<T>(size), false));
    }
    /// Where its one block lies.
    __aicore__ inline TBuffAddr GetBufferAddr(TBufHandle buf) {
        const twin::Local view = twin::TBufView(buffer_, 0, 0, true);
        return {view.bytes, twin::AddressInMemory(view), buf, static_cast<uint8_t>(pos)};
    }
    /// As those of queues, of the one block.
    __aicore__ inline void InitStartBufHandle(TBufHandle startBufhandle, uint8_t num, uint32_t len) {
        twin::StartTBuf(&buffer_, pos, startBufhandle, num);
    }
    template <typename T>
    __aicore__ inline void InitBufHandle(T* bufPool, uint32_t index, TBufHandle bufhandle, uint32_t curPoolAddr,
                                         uint32_t len) {
        twin::PlaceInTBuf(buffer_, bufPool->pool_, index, bufhandle, curPoolAddr, len);
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> AllocTensor() {
        return Get<T>();
    }
    template <typename T>
    __aicore__ inline void EnQue(const LocalTensor<T>&) {}
    template <typename T>
    __aicore__ inline LocalTensor<T> DeQue() {
        return Get<T>();
    }
    template <typename T>
    __aicore__ inline void FreeTensor(LocalTensor<T>&) {}

private:
    friend class TPipe;
    template <TPosition poolPos, uint32_t bufIDSize>
    friend class TBufPool;
    uint32_t buffer_ = 0;
};

/// Memory of L1 for matrices of Matmul. Of the cube core alone: a vector core's is not in the twin, and SetTensorA and
/// SetTensorB refuse it.
template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

}  // namespace AscendC

#endif
