// What an element becomes does not depend on where it stands: a call over many gives what calls over few give, in
// memory of just their size.
#include "pieces.h"
#include "twin/vec_fused_cast.h"

using namespace AscendC;

namespace {

using twin::Local;
using twin::Op;
using twin::Type;
constexpr TPosition kUb = TPosition::VECCALC;
constexpr uint32_t kCount = 576, kFew = 32;  // whole blocks of every type

uint32_t SizeOf(Type type) {
    if (type == Type::kFloat || type == Type::kInt32) return 4;
    return type == Type::kInt8 || type == Type::kUint8 ? 1 : 2;
}

/// Numbers from 0.25 to 4, or 1 to 9.
std::vector<uint8_t> Numbers(Type type, uint64_t seed) {
    Chance chance(seed);
    std::vector<uint8_t> bytes(kCount * SizeOf(type));
    for (uint32_t i = 0; i < kCount; ++i) {
        const float value = static_cast<float>(chance.From(1, 16)) / 4;
        const auto whole = static_cast<int32_t>(chance.From(1, 9));
        const half narrow(value);
        const bfloat16_t brain(value);
        const void* from = &whole;
        if (type == Type::kFloat) from = &value;
        if (type == Type::kHalf) from = &narrow;
        if (type == Type::kBfloat16) from = &brain;
        std::memcpy(bytes.data() + i * SizeOf(type), from, SizeOf(type));
    }
    return bytes;
}

using Call = std::function<void(const Local& dst, const Local& a, const Local& b, int64_t count)>;

Local Behind(const Local& t, size_t bytes) {
    Local part = t;
    part.data += bytes;
    part.bytes -= static_cast<uint32_t>(bytes);
    return part;
}

/// Sources that the call has: 1, or 2.
void Long(const std::string& name, Type dst, Type src, int sources, const Call& call) {
    const auto run = [&](bool few, std::vector<uint8_t>* seen) {
        Pieces p;
        const size_t to = p.Put(kUb, Numbers(dst, 3)), a = p.Put(kUb, Numbers(src, 5)),
                     b = sources > 1 ? p.Put(kUb, Numbers(src, 7)) : a;
        p.Any(to);
        const auto kernel = [&](Pieces& u) {
            const Local z = u.At<uint8_t>(to), x = u.At<uint8_t>(a), y = u.At<uint8_t>(b);
            if (!few) return call(z, x, y, kCount);
            for (uint32_t at = 0; at < kCount; at += kFew)
                call(Behind(z, at * SizeOf(dst)), Behind(x, at * SizeOf(src)), Behind(y, at * SizeOf(src)), kFew);
        };
        const std::string wrong = p.Wrong(kernel);
        *seen = p.Seen<uint8_t>(to);
        return wrong.empty() && !few ? p.Fits(kernel) : wrong;
    };
    std::vector<uint8_t> many, few;
    const std::string wrong = run(false, &many);
    // What the device has for other types only.
    if (wrong.compare(0, 22, "broke unsupported-type") == 0 || wrong.compare(0, 17, "broke not-covered") == 0) return;
    Expect(name + " breaks no rule", wrong.empty(), wrong);
    const std::string parts = run(true, &few);
    Expect(name + " by parts", parts.empty() && many == few, parts);
}

void Elements() {
    for (const Type t : {Type::kHalf, Type::kFloat}) {
        const std::string of = t == Type::kHalf ? " of half" : " of float";
        for (const Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kMax, Op::kMin, Op::kAddRelu, Op::kSubRelu,
                            Op::kMulAddDst, Op::kFusedMulAdd, Op::kFusedMulAddRelu})
            Long("binary " + std::to_string(static_cast<int>(op)) + of, t, t, 2,
                 [=](auto& z, auto& x, auto& y, int64_t n) { twin::Vector("Add", op, t, t, z, &x, &y, 0, n); });
        for (const Op op : {Op::kAdds, Op::kMuls, Op::kMaxs, Op::kMins, Op::kLeakyRelu, Op::kAxpy})
            Long("scalar " + std::to_string(static_cast<int>(op)) + of, t, t, 1,
                 [=](auto& z, auto& x, auto&, int64_t n) { twin::Vector("Adds", op, t, t, z, &x, nullptr, 1.5, n); });
        for (const Op op : {Op::kRelu, Op::kExp, Op::kLn, Op::kAbs, Op::kReciprocal, Op::kRsqrt, Op::kSqrt, Op::kCopy})
            Long("unary " + std::to_string(static_cast<int>(op)) + of, t, t, 1,
                 [=](auto& z, auto& x, auto&, int64_t n) { twin::Vector("Relu", op, t, t, z, &x, nullptr, 0, n); });
        for (const Op op : {Op::kSigmoid,
                            Op::kTanh,
                            Op::kErf,
                            Op::kErfc,
                            Op::kSin,
                            Op::kCos,
                            Op::kTan,
                            Op::kAsin,
                            Op::kAcos,
                            Op::kAtan,
                            Op::kSinh,
                            Op::kCosh,
                            Op::kAsinh,
                            Op::kAcosh,
                            Op::kAtanh,
                            Op::kLog2,
                            Op::kLog10,
                            Op::kSign,
                            Op::kFloor,
                            Op::kCeil,
                            Op::kTrunc,
                            Op::kRound,
                            Op::kFrac,
                            Op::kGelu,
                            Op::kFasterGelu,
                            Op::kFasterGeluV2,
                            Op::kGeluQuick,
                            Op::kFasterGeluQuick,
                            Op::kFasterGeluV2Quick,
                            Op::kSilu,
                            Op::kLgamma,
                            Op::kDigamma})
            Long("function " + std::to_string(static_cast<int>(op)) + of, t, t, 1,
                 [=](auto& z, auto& x, auto&, int64_t n) { twin::MathUnary("Tanh", op, t, z, x, nullptr, n); });
        for (const Op op : {Op::kPower, Op::kFmod})
            Long("function of two " + std::to_string(static_cast<int>(op)) + of, t, t, 2,
                 [=](auto& z, auto& x, auto& y, int64_t n) {
                     twin::MathBinary("Power", op, t, z, x, &y, 0, nullptr, n);
                 });
        for (const Op op : {Op::kPowerScalar, Op::kScalarPower, Op::kSwish})
            Long("function of a scalar " + std::to_string(static_cast<int>(op)) + of, t, t, 1,
                 [=](auto& z, auto& x, auto&, int64_t n) {
                     twin::MathBinary("Power", op, t, z, x, nullptr, 2, nullptr, n);
                 });
    }
    for (const Type t : {Type::kInt16, Type::kInt32}) {
        for (const Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kMax, Op::kMin})
            Long("binary of integers " + std::to_string(static_cast<int>(op)), t, t, 2,
                 [=](auto& z, auto& x, auto& y, int64_t n) { twin::Vector("Add", op, t, t, z, &x, &y, 0, n); });
        for (const Op op : {Op::kAdds, Op::kMuls, Op::kMaxs, Op::kMins})
            Long("scalar of integers " + std::to_string(static_cast<int>(op)), t, t, 1,
                 [=](auto& z, auto& x, auto&, int64_t n) { twin::Vector("Adds", op, t, t, z, &x, nullptr, 2, n); });
    }
    Long("Power of integers", Type::kInt32, Type::kInt32, 2, [](auto& z, auto& x, auto& y, int64_t n) {
        twin::MathBinary("Power", Op::kPower, Type::kInt32, z, x, &y, 0, nullptr, n);
    });
    for (const Op op : {Op::kPowerScalar, Op::kScalarPower})
        Long("Power of integers and a scalar", Type::kInt32, Type::kInt32, 1, [=](auto& z, auto& x, auto&, int64_t n) {
            twin::MathBinary("Power", op, Type::kInt32, z, x, nullptr, 2, nullptr, n);
        });
    Long("Axpy of half into float", Type::kFloat, Type::kHalf, 1, [](auto& z, auto& x, auto&, int64_t n) {
        twin::Vector("Axpy", Op::kAxpy, Type::kFloat, Type::kHalf, z, &x, nullptr, 1.5, n);
    });
    Long("MulAddDst of half into float", Type::kFloat, Type::kHalf, 2, [](auto& z, auto& x, auto& y, int64_t n) {
        twin::Vector("MulAddDst", Op::kMulAddDst, Type::kFloat, Type::kHalf, z, &x, &y, 0, n);
    });
}

void Casts() {
    struct Pair {
        Type dst, src;
        RoundMode mode;
    };
    using R = RoundMode;
    for (const Pair& p : {Pair{Type::kFloat, Type::kHalf, R::CAST_NONE},
                          {Type::kFloat, Type::kBfloat16, R::CAST_NONE},
                          {Type::kHalf, Type::kFloat, R::CAST_RINT},
                          {Type::kHalf, Type::kFloat, R::CAST_ODD},
                          {Type::kBfloat16, Type::kFloat, R::CAST_RINT},
                          {Type::kBfloat16, Type::kFloat, R::CAST_FLOOR},
                          {Type::kInt32, Type::kHalf, R::CAST_RINT},
                          {Type::kInt32, Type::kBfloat16, R::CAST_CEIL},
                          {Type::kInt16, Type::kHalf, R::CAST_TRUNC},
                          {Type::kInt8, Type::kHalf, R::CAST_RINT},
                          {Type::kUint8, Type::kHalf, R::CAST_RINT},
                          {Type::kHalf, Type::kInt8, R::CAST_NONE},
                          {Type::kHalf, Type::kUint8, R::CAST_NONE},
                          {Type::kHalf, Type::kInt16, R::CAST_RINT},
                          {Type::kFloat, Type::kInt16, R::CAST_NONE},
                          {Type::kInt16, Type::kInt32, R::CAST_NONE},
                          {Type::kFloat, Type::kInt32, R::CAST_RINT},
                          {Type::kFloat, Type::kInt32, R::CAST_FLOOR},
                          {Type::kHalf, Type::kInt32, R::CAST_NONE}})
        Long("Cast of " + std::to_string(static_cast<int>(p.src)) + " to " + std::to_string(static_cast<int>(p.dst)),
             p.dst, p.src, 1,
             [=](auto& z, auto& x, auto&, int64_t n) { twin::CastCount(p.dst, p.src, z, x, p.mode, n); });
    using twin::FusedCast;
    struct Fused {
        FusedCast kind;
        Type dst, src;
    };
    for (const Fused& f : {Fused{FusedCast::kAddRelu, Type::kInt8, Type::kHalf},
                           {FusedCast::kSubRelu, Type::kInt8, Type::kInt16},
                           {FusedCast::kAddRelu, Type::kHalf, Type::kFloat},
                           {FusedCast::kMul, Type::kInt8, Type::kHalf},
                           {FusedCast::kMul, Type::kUint8, Type::kHalf},
                           {FusedCast::kAddDequantRelu, Type::kHalf, Type::kInt32}})
        Long("a fused cast to " + std::to_string(static_cast<int>(f.dst)), f.dst, f.src, 2,
             [=](auto& z, auto& x, auto& y, int64_t n) {
                 twin::FusedCastCount("AddReluCast", f.kind, f.dst, f.src, z, x, y, n);
             });
}

/// Copy while a mask counts: each repeat takes all that the mask counts, block by block.
template <typename T>
std::string Counted(Chance& c) {
    constexpr uint32_t kPerBlock = 32 / sizeof(T);
    const uint32_t count = c.From(1, 12 * kPerBlock), blocks = (count + kPerBlock - 1) / kPerBlock,
                   repeats = c.From(1, 3), dstBlk = c.From(1, 3), srcBlk = c.From(1, 3), srcRep = c.From(0, 9),
                   dstRep = c.From(1, 3) * blocks * dstBlk;
    const auto x = AnyBits<T>(c, ((repeats - 1) * srcRep + (blocks - 1) * srcBlk + 1) * kPerBlock);
    auto z = AnyBits<T>(c, ((repeats - 1) * dstRep + (blocks - 1) * dstBlk + 1) * kPerBlock);
    Pieces p;
    const size_t dst = p.Put(kUb, z), src = p.Put(kUb, x);
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t i = 0; i < count; ++i)
            z[(r * dstRep + i / kPerBlock * dstBlk) * kPerBlock + i % kPerBlock] =
                x[(r * srcRep + i / kPerBlock * srcBlk) * kPerBlock + i % kPerBlock];
    p.Then(dst, z);
    return p.Fits([&](Pieces& u) {
        SetMaskCount();
        SetVectorMask<T, MaskMode::COUNTER>(0, count);
        Copy<T, false>(u.At<T>(dst), u.At<T>(src), MASK_PLACEHOLDER, static_cast<uint8_t>(repeats),
                       CopyRepeatParams(static_cast<uint16_t>(dstBlk), static_cast<uint16_t>(srcBlk),
                                        static_cast<uint16_t>(dstRep), static_cast<uint16_t>(srcRep)));
        SetMaskNorm();
        ResetMask();
    });
}

}  // namespace

int main() {
    InEachCase("Copy of half while a mask counts", 40, 811, Counted<half>);
    InEachCase("Copy of float while a mask counts", 40, 821, Counted<float>);
    Elements();
    Casts();
    return Finish();
}
