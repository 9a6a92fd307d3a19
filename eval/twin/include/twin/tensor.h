// LocalTensor and GlobalTensor: typed views; the checks are in the runtime.
#ifndef TWIN_TENSOR_H
#define TWIN_TENSOR_H

#include "twin/runtime.h"

namespace twin {

/// `a + b` on tensors, waiting for its destination: the operation runs over all of the destination.
template <typename T>
struct TensorTerm {
    Op op;
    const Local& src0;
    const Local& src1;
};
/// `a < b` on tensors: bits into the destination.
template <typename T>
struct CompareTerm {
    CMPMODE mode;
    const Local& src0;
    const Local& src1;
    uint32_t count;
};
/// What a reference to an element refers to: half and bfloat16_t are classes here, which cannot be assigned to in
/// another memory.
template <typename T, typename There>
using Scalar = std::conditional_t<std::is_class_v<T>, T, There>;

}  // namespace twin

namespace AscendC {

using TBufHandle = uint8_t*;
/// Where a tensor lies, in bytes. Operators fill it themselves.
struct TBuffAddr {
    uint32_t dataLen;
    uint32_t bufferAddr;
    TBufHandle bufferHandle;
    uint8_t logicPos;
};

/// View of the unified buffer. Offsets and sizes are in elements of T; the device wants starts aligned to 32 bytes.
template <typename T>
class LocalTensor : public twin::Local {
public:
    using PrimType = T;

    __aicore__ inline LocalTensor() {}
    explicit __aicore__ inline LocalTensor(const twin::Local& view) : twin::Local(view) {}
    __aicore__ inline LocalTensor(TPosition position, uint32_t addr, uint32_t tileSize)
        : twin::Local(twin::RawLocal(position, addr, twin::bytesOf<T>(tileSize))) {}

    /// A number, as its page says, which counts bytes and which only a cast makes a pointer. The address leaves the
    /// twin's sight: from here on, everything from it to the end of the buffer counts as written.
    __aicore__ inline uint64_t GetPhyAddr() const { return reinterpret_cast<uint64_t>(twin::ExposeAddress(*this)); }
    __aicore__ inline uint64_t GetPhyAddr(const uint32_t offset) const {
        return GetPhyAddr() + twin::bytesOf<T>(offset);
    }
    /// Violations: out-of-buffer, read-unwritten, use-after-free.
    __aicore__ inline T GetValue(const uint32_t offset) const {
        const T value = *static_cast<const T*>(twin::ReadScalar(*this, twin::bytesOf<T>(offset), sizeof(T)));
        if constexpr (twin::isInt4<T>) return T(value.storage >> offset % 2 * 4);
        else return value;
    }
    template <typename S>
    __aicore__ inline void SetValue(const uint32_t index, const S value) const {
        if constexpr (twin::isInt4<T>) {
            auto* pair = static_cast<uint8_t*>(twin::WriteScalar(*this, twin::bytesOf<T>(index), 1));
            const int shift = index % 2 * 4;
            *pair = static_cast<uint8_t>((*pair & ~(0xf << shift)) | (T(value).storage << shift));
            return;
        }
        *static_cast<T*>(twin::WriteScalar(*this, static_cast<uint64_t>(index) * sizeof(T), sizeof(T))) =
            static_cast<T>(value);
    }
    __aicore__ inline twin::Scalar<T, __ubuf__ T>& operator()(const uint32_t offset) const {
        return *twin::AddressAs<twin::Scalar<T, __ubuf__ T>*>(
            twin::WriteScalar(*this, static_cast<uint64_t>(offset) * sizeof(T), sizeof(T)));
    }
    __aicore__ inline LocalTensor operator[](const uint32_t offset) const {
        LocalTensor result(*this);
        const uint64_t skipped = twin::bytesOf<T>(offset);
        result.data += skipped;
        result.bytes = skipped < bytes ? bytes - static_cast<uint32_t>(skipped) : 0;
        return result;
    }
    template <typename U>
    __aicore__ inline LocalTensor<U> ReinterpretCast() const {
        return LocalTensor<U>(static_cast<const twin::Local&>(*this));
    }
    __aicore__ inline void SetAddr(const TBuffAddr& bufferAddr) {
        static_cast<twin::Local&>(*this) =
            twin::RawLocal(static_cast<TPosition>(bufferAddr.logicPos), bufferAddr.bufferAddr, bufferAddr.dataLen);
    }
    __aicore__ inline TBufHandle GetBufferHandle() const { return nullptr; }
    /// Deprecated: an offset before the position is known. Violation: not-covered.
    __aicore__ inline void InitBuffer(const uint32_t, const uint32_t) {
        twin::FormNotCovered("InitBuffer", "InitBuffer of a LocalTensor",
                             "construct the tensor from its position, address and size");
    }
    template <typename S>
    __aicore__ inline void SetAddrWithOffset(LocalTensor<S>& src, uint32_t offset) {
        static_cast<twin::Local&>(*this) = src[offset];
    }
    __aicore__ inline void operator=(const twin::TensorTerm<T>& term) {
        static_assert(twin::oneOf<T, int16_t, uint16_t, half, int32_t, float>,
                      "operators on tensors take int16_t, uint16_t, half, int32_t and float");
        twin::Vector("operator", term.op, twin::typeOf<T>, twin::typeOf<T>, *this, &term.src0, &term.src1, 0,
                     GetSize());
    }
    template <typename U>
    __aicore__ inline void operator=(const twin::CompareTerm<U>& term) {
        static_assert(twin::oneOf<U, half, float> && twin::oneOf<T, int8_t, uint8_t>,
                      "comparing tensors takes half and float and gives bits in uint8_t");
        twin::CompareCount("operator", twin::typeOf<U>, *this, term.src0, &term.src1, 0, term.mode, term.count);
    }
    __aicore__ inline twin::TensorTerm<T> operator+(const LocalTensor& other) const {
        return {twin::Op::kAdd, *this, other};
    }
    __aicore__ inline twin::TensorTerm<T> operator-(const LocalTensor& other) const {
        return {twin::Op::kSub, *this, other};
    }
    __aicore__ inline twin::TensorTerm<T> operator*(const LocalTensor& other) const {
        return {twin::Op::kMul, *this, other};
    }
    __aicore__ inline twin::TensorTerm<T> operator/(const LocalTensor& other) const {
        return {twin::Op::kDiv, *this, other};
    }
    __aicore__ inline twin::TensorTerm<T> operator&(const LocalTensor& other) const {
        return {twin::Op::kAnd, *this, other};
    }
    __aicore__ inline twin::TensorTerm<T> operator|(const LocalTensor& other) const {
        return {twin::Op::kOr, *this, other};
    }
    __aicore__ inline twin::CompareTerm<T> operator<(const LocalTensor& other) const {
        return {twin::CMPMODE::LT, *this, other, GetSize()};
    }
    __aicore__ inline twin::CompareTerm<T> operator>(const LocalTensor& other) const {
        return {twin::CMPMODE::GT, *this, other, GetSize()};
    }
    __aicore__ inline twin::CompareTerm<T> operator<=(const LocalTensor& other) const {
        return {twin::CMPMODE::LE, *this, other, GetSize()};
    }
    __aicore__ inline twin::CompareTerm<T> operator>=(const LocalTensor& other) const {
        return {twin::CMPMODE::GE, *this, other, GetSize()};
    }
    __aicore__ inline twin::CompareTerm<T> operator==(const LocalTensor& other) const {
        return {twin::CMPMODE::EQ, *this, other, GetSize()};
    }
    __aicore__ inline twin::CompareTerm<T> operator!=(const LocalTensor& other) const {
        return {twin::CMPMODE::NE, *this, other, GetSize()};
    }

    __aicore__ inline uint32_t GetSize() const { return static_cast<uint32_t>(twin::elementsIn<T>(bytes)); }
    __aicore__ inline uint32_t GetLength() const { return bytes; }
    __aicore__ inline void SetSize(const uint32_t size) { bytes = static_cast<uint32_t>(twin::bytesOf<T>(size)); }
    __aicore__ inline void SetBufferLen(uint32_t dataLen) { bytes = static_cast<uint32_t>(twin::bytesOf<T>(dataLen)); }
    __aicore__ inline int32_t GetPosition() const { return static_cast<int32_t>(position); }
    __aicore__ inline void SetUserTag(const int32_t) {}
    __aicore__ inline void SetShapeInfo(const ShapeInfo& shapeInfo) { shapeInfo_ = shapeInfo; }
    __aicore__ inline ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    ShapeInfo shapeInfo_;
};

/// View of global memory. Every access is checked against the true allocation behind the address.
template <typename T>
class GlobalTensor : public twin::Global {
public:
    using PrimType = T;

    __aicore__ inline GlobalTensor() {}
    __aicore__ inline void SetGlobalBuffer(__gm__ T* buffer, uint64_t bufferSize) {
        data = twin::AddressAs<uint8_t*>(buffer);
        elements = bufferSize;
    }
    __aicore__ inline void SetGlobalBuffer(__gm__ T* buffer) { SetGlobalBuffer(buffer, 0); }
    __aicore__ inline const __gm__ T* GetPhyAddr() const { return twin::AddressAs<const __gm__ T*>(data); }
    __aicore__ inline __gm__ T* GetPhyAddr(const uint64_t offset) const {
        return twin::AddressAs<__gm__ T*>(data) + twin::bytesOf<T>(offset) / sizeof(T);
    }
    __aicore__ inline T GetValue(const uint64_t offset) const {
        const T value = *static_cast<const T*>(twin::ReadScalar(*this, twin::bytesOf<T>(offset), sizeof(T)));
        if constexpr (twin::isInt4<T>) return T(value.storage >> offset % 2 * 4);
        else return value;
    }
    __aicore__ inline void SetValue(const uint64_t offset, T value) {
        if constexpr (twin::isInt4<T>) {
            const uint64_t at = twin::bytesOf<T>(offset);
            const uint32_t shift = offset % 2 * 4;
            const uint8_t old = *static_cast<const uint8_t*>(twin::ReadScalar(*this, at, 1));
            const auto pair = static_cast<uint8_t>((old & ~(0xf << shift)) | (value.storage << shift));
            return twin::WriteScalar(*this, at, &pair, 1);
        }
        twin::WriteScalar(*this, offset * sizeof(T), &value, sizeof(T));
    }
    __aicore__ inline twin::Scalar<T, __gm__ T>& operator()(const uint64_t offset) const {
        return *twin::AddressAs<twin::Scalar<T, __gm__ T>*>(twin::LendScalar(*this, offset * sizeof(T), sizeof(T)));
    }
    __aicore__ inline GlobalTensor operator[](const uint64_t offset) const {
        GlobalTensor result(*this);
        result.data += twin::bytesOf<T>(offset);
        result.elements = offset < elements ? elements - offset : 0;
        return result;
    }
    template <typename U>
    __aicore__ inline GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> result;
        result.SetGlobalBuffer(twin::AddressAs<__gm__ U*>(data), twin::elementsIn<U>(twin::bytesOf<T>(elements)));
        return result;
    }
    __aicore__ inline uint64_t GetSize() const { return elements; }
    template <CacheRwMode rwMode = CacheRwMode::RW>
    __aicore__ inline void SetL2CacheHint(CacheMode) {}
    __aicore__ inline void SetShapeInfo(const ShapeInfo& shapeInfo) { shapeInfo_ = shapeInfo; }
    __aicore__ inline ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    ShapeInfo shapeInfo_;
};

}  // namespace AscendC

#endif
