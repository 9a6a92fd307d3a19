// The elementwise operations of the basic API as loops over contiguous lanes.
// Overflow follows the INF/NAN mode: integers wrap, halves become infinite; Max, Min and Relu pass a NaN on.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "estimates.h"
#include "math_functions.h"
#include "numbers.h"
#include "reserved.h"
#include "vector.h"

namespace twin {

namespace {

constexpr uint32_t kChunk = 512;

template <typename F, int kSources>
void FloatLoop(void* dst, const void* a, const void* b, double scalar, uint32_t n) {
    auto* d = static_cast<float*>(dst);
    const auto* x = static_cast<const float*>(a);
    const auto* y = static_cast<const float*>(b);
    const auto s = static_cast<float>(scalar);
    for (uint32_t i = 0; i < n; ++i) d[i] = F::Float(x[i], kSources == 2 ? y[i] : 0.0f, s, F::kReadsDst ? d[i] : 0.0f);
}

template <typename F, int kSources>
void HalfLoop(void* dst, const void* a, const void* b, double scalar, uint32_t n) {
    float d[kChunk], x[kChunk], y[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        auto* to = static_cast<uint16_t*>(dst) + at;
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        if (kSources == 2) HalfToFloat(static_cast<const uint16_t*>(b) + at, y, m);
        if (F::kReadsDst) HalfToFloat(to, d, m);
        FloatLoop<F, kSources>(d, x, y, scalar, m);
        FloatToHalf(d, to, m);
    }
}

/// dst * a + b in half with the product rounded first: the pages of FusedMulAdd and MulAddRelu show 512 results, all of
/// which come out so, and 108 of them with one rounding do not.
template <typename F>
void HalfProductLoop(void* dst, const void* a, const void* b, double, uint32_t n) {
    float d[kChunk], x[kChunk], y[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        auto* to = static_cast<uint16_t*>(dst) + at;
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        HalfToFloat(static_cast<const uint16_t*>(b) + at, y, m);
        HalfToFloat(to, d, m);
        for (uint32_t i = 0; i < m; ++i) d[i] *= x[i];
        FloatToHalf(d, to, m);
        HalfToFloat(to, d, m);
        for (uint32_t i = 0; i < m; ++i) d[i] = F::Sum(d[i], y[i]);
        FloatToHalf(d, to, m);
    }
}

/// Sources half, destination float (Axpy, MulAddDst).
template <typename F, int kSources>
void MixedLoop(void* dst, const void* a, const void* b, double scalar, uint32_t n) {
    float x[kChunk], y[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        if (kSources == 2) HalfToFloat(static_cast<const uint16_t*>(b) + at, y, m);
        FloatLoop<F, kSources>(static_cast<float*>(dst) + at, x, y, scalar, m);
    }
}

template <typename F, typename N, int kSources>
void IntLoop(void* dst, const void* a, const void* b, double scalar, uint32_t n) {
    auto* d = static_cast<N*>(dst);
    const auto* x = static_cast<const N*>(a);
    const auto* y = static_cast<const N*>(b);
    const auto s = static_cast<N>(static_cast<int64_t>(scalar));
    for (uint32_t i = 0; i < n; ++i) d[i] = F::Int(x[i], kSources == 2 ? y[i] : N(0), s);
}

template <typename N>
using U = std::make_unsigned_t<N>;
float MaxOf(float a, float b) { return a != a ? a : (b != b ? b : (a > b ? a : b)); }
float MinOf(float a, float b) { return a != a ? a : (b != b ? b : (a < b ? a : b)); }

struct Base {
    static constexpr bool kReadsDst = false;
};
struct Add : Base {
    static float Float(float a, float b, float, float) { return a + b; }
    template <typename N>
    static N Int(N a, N b, N) {
        return static_cast<N>(static_cast<U<N>>(a) + static_cast<U<N>>(b));
    }
};
struct Sub : Base {
    static float Float(float a, float b, float, float) { return a - b; }
    template <typename N>
    static N Int(N a, N b, N) {
        return static_cast<N>(static_cast<U<N>>(a) - static_cast<U<N>>(b));
    }
};
struct Mul : Base {
    static float Float(float a, float b, float, float) { return a * b; }
    template <typename N>
    static N Int(N a, N b, N) {
        return static_cast<N>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    }
};
struct Div : Base {
    static float Float(float a, float b, float, float) { return a / b; }
};
struct Max : Base {
    static float Float(float a, float b, float, float) { return MaxOf(a, b); }
    template <typename N>
    static N Int(N a, N b, N) {
        return a > b ? a : b;
    }
};
struct Min : Base {
    static float Float(float a, float b, float, float) { return MinOf(a, b); }
    template <typename N>
    static N Int(N a, N b, N) {
        return a < b ? a : b;
    }
};
struct And : Base {
    template <typename N>
    static N Int(N a, N b, N) {
        return a & b;
    }
};
struct Or : Base {
    template <typename N>
    static N Int(N a, N b, N) {
        return a | b;
    }
};
struct Xor : Base {
    template <typename N>
    static N Int(N a, N b, N) {
        return a ^ b;
    }
};
struct Not : Base {
    template <typename N>
    static N Int(N a, N, N) {
        return static_cast<N>(~a);
    }
};
struct AddRelu : Base {
    static float Float(float a, float b, float, float) { return MaxOf(a + b, 0.0f); }
    template <typename N>
    static N Int(N a, N b, N) {
        return std::max(Add::Int(a, b, a), N(0));
    }
};
struct SubRelu : Base {
    static float Float(float a, float b, float, float) { return MaxOf(a - b, 0.0f); }
    template <typename N>
    static N Int(N a, N b, N) {
        return std::max(Sub::Int(a, b, a), N(0));
    }
};
struct MulAddDst {
    static constexpr bool kReadsDst = true;
    static float Float(float a, float b, float, float d) { return std::fma(a, b, d); }
};
struct FusedMulAdd {
    static constexpr bool kReadsDst = true;
    static float Float(float a, float b, float, float d) { return std::fma(a, d, b); }
    static float Sum(float product, float b) { return product + b; }
};
struct FusedMulAddRelu {
    static constexpr bool kReadsDst = true;
    static float Float(float a, float b, float, float d) { return MaxOf(std::fma(a, d, b), 0.0f); }
    static float Sum(float product, float b) { return MaxOf(product + b, 0.0f); }
};
struct Axpy {
    static constexpr bool kReadsDst = true;
    static float Float(float a, float, float s, float d) { return std::fma(a, s, d); }
};
struct Adds : Base {
    static float Float(float a, float, float s, float) { return a + s; }
    template <typename N>
    static N Int(N a, N, N s) {
        return Add::Int(a, s, s);
    }
};
struct Muls : Base {
    static float Float(float a, float, float s, float) { return a * s; }
    template <typename N>
    static N Int(N a, N, N s) {
        return Mul::Int(a, s, s);
    }
};
struct Maxs : Base {
    static float Float(float a, float, float s, float) { return MaxOf(a, s); }
    template <typename N>
    static N Int(N a, N, N s) {
        return a > s ? a : s;
    }
};
struct Mins : Base {
    static float Float(float a, float, float s, float) { return MinOf(a, s); }
    template <typename N>
    static N Int(N a, N, N s) {
        return a < s ? a : s;
    }
};
struct LeakyRelu : Base {
    static float Float(float a, float, float s, float) { return a >= 0 ? a : a * s; }
};
struct ShiftLeft : Base {
    template <typename N>
    static N Int(N a, N, N s) {
        return static_cast<uint64_t>(s) >= sizeof(N) * 8 ? N(0) : static_cast<N>(static_cast<U<N>>(a) << s);
    }
};
struct ShiftRight : Base {
    template <typename N>
    static N Int(N a, N, N s) {
        return static_cast<uint64_t>(s) >= sizeof(N) * 8 ? N(a < 0 ? -1 : 0) : static_cast<N>(a >> s);
    }
};
struct Relu : Base {
    static float Float(float a, float, float, float) { return MaxOf(a, 0.0f); }
    template <typename N>
    static N Int(N a, N, N) {
        return a > 0 ? a : N(0);
    }
};
struct Abs : Base {
    static float Float(float a, float, float, float) { return std::fabs(a); }
};
struct Sqrt : Base {
    static float Float(float a, float, float, float) { return std::sqrt(a); }
};
struct Rsqrt : Base {
    static float Float(float a, float, float, float) { return 1.0f / std::sqrt(a); }
};
struct Reciprocal : Base {
    static float Float(float a, float, float, float) { return 1.0f / a; }
};
struct RsqrtOfDevice : Base {
    static float Float(float a, float, float, float) { return RsqrtEstimate(a); }
};
struct ReciprocalOfDevice : Base {
    static float Float(float a, float, float, float) { return ReciprocalEstimate(a); }
};
struct Exp : Base {
    static float Float(float a, float, float, float) { return std::exp(a); }
};
struct Ln : Base {
    static float Float(float a, float, float, float) { return std::log(a); }
};

template <typename N>
void FillLoop(void* dst, const void*, const void*, double scalar, uint32_t n) {
    const auto value = static_cast<N>(scalar);
    std::fill_n(static_cast<N*>(dst), n, value);
}
template <typename N>
void FillShort(void* dst, const void*, const void*, double scalar, uint32_t n) {
    std::fill_n(static_cast<uint16_t*>(dst), n, N(static_cast<float>(scalar)).bits);
}
template <uint32_t kBytes>
void CopyLoop(void* dst, const void* a, const void*, double, uint32_t n) {
    std::memmove(dst, a, static_cast<size_t>(n) * kBytes);
}

template <typename F, int kSources>
LaneLoop FloatKinds(Type dst, Type src) {
    if (dst == Type::kFloat && src == Type::kFloat) return FloatLoop<F, kSources>;
    if (dst == Type::kHalf && src == Type::kHalf) return HalfLoop<F, kSources>;
    if (dst == Type::kFloat && src == Type::kHalf) return MixedLoop<F, kSources>;
    return nullptr;
}

template <typename F, int kSources>
LaneLoop IntKinds(Type type) {
    switch (type) {
        case Type::kInt16: return IntLoop<F, int16_t, kSources>;
        case Type::kUint16: return IntLoop<F, uint16_t, kSources>;
        case Type::kInt32: return IntLoop<F, int32_t, kSources>;
        case Type::kUint32: return IntLoop<F, uint32_t, kSources>;
        default: return nullptr;
    }
}

template <typename F, int kSources>
LaneLoop AllKinds(Type dst, Type src) {
    const LaneLoop found = FloatKinds<F, kSources>(dst, src);
    return found != nullptr ? found : IntKinds<F, kSources>(dst);
}

LaneLoop FillFor(Type type) {
    switch (type) {
        case Type::kHalf: return FillShort<half>;
        case Type::kBfloat16: return FillShort<bfloat16_t>;
        case Type::kFloat: return FillLoop<float>;
        case Type::kInt16: return FillLoop<int16_t>;
        case Type::kUint16: return FillLoop<uint16_t>;
        case Type::kInt32: return FillLoop<int32_t>;
        case Type::kUint32: return FillLoop<uint32_t>;
        default: return nullptr;
    }
}

LaneLoop Choose(Op op, Type dst, Type src) {
    switch (op) {
        case Op::kAdd: return AllKinds<Add, 2>(dst, src);
        case Op::kSub: return AllKinds<Sub, 2>(dst, src);
        case Op::kMul: return AllKinds<Mul, 2>(dst, src);
        case Op::kDiv: return FloatKinds<Div, 2>(dst, src);
        case Op::kMax: return AllKinds<Max, 2>(dst, src);
        case Op::kMin: return AllKinds<Min, 2>(dst, src);
        case Op::kAnd: return IntKinds<And, 2>(dst);
        case Op::kOr: return IntKinds<Or, 2>(dst);
        case Op::kXor: return IntKinds<Xor, 2>(dst);
        case Op::kNot: return IntKinds<Not, 1>(dst);
        case Op::kAddRelu: return AllKinds<AddRelu, 2>(dst, src);
        case Op::kSubRelu: return AllKinds<SubRelu, 2>(dst, src);
        case Op::kMulAddDst: return FloatKinds<MulAddDst, 2>(dst, src);
        case Op::kFusedMulAdd:
            return dst == Type::kHalf ? HalfProductLoop<FusedMulAdd> : FloatKinds<FusedMulAdd, 2>(dst, src);
        case Op::kFusedMulAddRelu:
            return dst == Type::kHalf ? HalfProductLoop<FusedMulAddRelu> : FloatKinds<FusedMulAddRelu, 2>(dst, src);
        case Op::kAxpy: return FloatKinds<Axpy, 1>(dst, src);
        case Op::kAdds: return AllKinds<Adds, 1>(dst, src);
        case Op::kMuls: return AllKinds<Muls, 1>(dst, src);
        case Op::kMaxs: return AllKinds<Maxs, 1>(dst, src);
        case Op::kMins: return AllKinds<Mins, 1>(dst, src);
        case Op::kLeakyRelu: return FloatKinds<LeakyRelu, 1>(dst, src);
        case Op::kShiftLeft: return IntKinds<ShiftLeft, 1>(dst);
        case Op::kShiftRight: return IntKinds<ShiftRight, 1>(dst);
        case Op::kRelu: return AllKinds<Relu, 1>(dst, src);
        case Op::kAbs: return FloatKinds<Abs, 1>(dst, src);
        case Op::kSqrt: return FloatKinds<Sqrt, 1>(dst, src);
        case Op::kRsqrt: return Estimates() ? FloatKinds<RsqrtOfDevice, 1>(dst, src) : FloatKinds<Rsqrt, 1>(dst, src);
        case Op::kReciprocal:
            return Estimates() ? FloatKinds<ReciprocalOfDevice, 1>(dst, src) : FloatKinds<Reciprocal, 1>(dst, src);
        case Op::kExp: return FloatKinds<Exp, 1>(dst, src);
        case Op::kLn: return FloatKinds<Ln, 1>(dst, src);
        case Op::kDuplicate: return FillFor(dst);
        case Op::kCopy: return TypeBytes(dst) == 2 ? CopyLoop<2> : TypeBytes(dst) == 4 ? CopyLoop<4> : nullptr;
        default: return MathLoop(op, dst);
    }
}

bool ReadsDst(Op op) {
    return op == Op::kMulAddDst || op == Op::kFusedMulAdd || op == Op::kFusedMulAddRelu || op == Op::kAxpy;
}

VectorCall CallFor(const char* api, Op op, Type dstType, Type srcType, const Local& dst, const Local* src0,
                   const Local* src1, double scalar) {
    VectorCall call{
        api,         Choose(op, dstType, srcType), TypeBytes(dstType), TypeBytes(srcType), &dst, src0, src1, scalar,
        ReadsDst(op)};
    if (call.run == nullptr) {
        core().account.api = api;
        Broken("unsupported-type", BufferName(dst), Text("%s has no form for %s", api, TypeName(dstType)),
               "cast to a supported type first");
    }
    return call;
}

}  // namespace

/// Functions that select by a mask inside; the list is that of the programming guide.
static bool UsesReserved(Op op) {
    return op == Op::kSign || op == Op::kLgamma || op == Op::kDigamma || op == Op::kPower || op == Op::kPowerScalar ||
           op == Op::kScalarPower;
}

void Vector(const char* api, Op op, Type dstType, Type srcType, const Local& dst, const Local* src0, const Local* src1,
            double scalar, int64_t count) {
    if (UsesReserved(op) && count > 0) OverwriteReserved(api, 128);
    RunCount(CallFor(api, op, dstType, srcType, dst, src0, src1, scalar), count);
}

void VectorRepeat(const char* api, Op op, Type dstType, Type srcType, const Local& dst, const Local* src0,
                  const Local* src1, double scalar, const Mask& mask, int repeatTime, const Strides& strides) {
    const VectorCall call = CallFor(api, op, dstType, srcType, dst, src0, src1, scalar);
    if (op == Op::kCopy && core().registers.counterMode) return CopyCounted(call, mask, repeatTime, strides);
    RunRepeat(call, mask, repeatTime, strides);
}

}  // namespace twin
