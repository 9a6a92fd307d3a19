// Temporary memory of library functions: what they are given, or take from the end of UB.
#include <algorithm>

#include "core.h"
#include "twin/norm.h"
#include "twin/temporary_sizes.h"

namespace twin {

namespace {

/// What a function that got no sharedTmpBuffer takes from what InitBuffer left of UB. `usable`: with so many bytes it
/// still computes something.
void TakeRest(const char* api, uint64_t bytes, uint64_t usable) {
    const uint64_t left = kUbBytes - std::min(core().memory.top[kUb], kUbBytes);
    if (left >= bytes) return;
    (left >= usable ? Suspect : Broken)(
        "temporary-memory", "",
        Text("%s takes at least %llu bytes of temporary memory from what InitBuffer left of UB, which is %llu", api,
             static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(left)),
        "give InitBuffer less, or pass a sharedTmpBuffer of that size");
}

void Overwrite(const Local& work, uint64_t bytes) {
    EndVector(core().account.work);  // the instructions that use it are yet to come
    Define(Touch(work, "sharedTmpBuffer", 0, bytes, PIPE_V, Access::kWrite), bytes, false);
}

}  // namespace

void UseTemporary(const char* api, const Local* work, uint64_t floats) {
    core().account.api = api;
    if (floats == 0) {
        Broken("temporary-memory", "", Text("the tiling of %s leaves no temporary memory", api),
               "fill the tiling on the host with the query of this function, for at least the smallest size that it "
               "names");
    }
    const uint64_t bytes = floats * 4;
    if (work != nullptr) return Overwrite(*work, bytes);
    TakeRest(api, bytes, bytes);
}

void UseAtLeast(const char* api, const Local* work, uint32_t bytes) {
    if (bytes == 0) return;
    core().account.api = api;
    if (work != nullptr) return Overwrite(*work, bytes);
    // The functions compute in steps of what there is; a step of no block for each buffer of a repeat is none.
    TakeRest(api, bytes, std::max(bytes * kBlockBytes / kRepeatBytes, kBlockBytes));
}

uint32_t LeastTemporary(Op op, Type type, bool reuse) {
    const uint32_t size = TypeBytes(type);
    switch (op) {
#define TWIN_LEAST(Name, HALF, FLOAT, REUSED) \
    case Op::k##Name: return TemporaryBuffers(HALF, FLOAT, REUSED, size, reuse) * kTemporaryBuffer;
        TWIN_TEMPORARY_BUFFERS(TWIN_LEAST)
#undef TWIN_LEAST
        case Op::kExp: return ExpBuffers(size, reuse) * kTemporaryBuffer;
        case Op::kGelu:
        case Op::kFasterGelu:
        case Op::kFasterGeluV2:
        case Op::kGeluQuick:
        case Op::kFasterGeluQuick:
        case Op::kFasterGeluV2Quick: return kGeluBuffers * kTemporaryBuffer;
        case Op::kLog2: return Log2Temporary(size);
        case Op::kRound: return RoundTemporary(size);
        case Op::kSigmoid: return kSigmoidTemporary;
        case Op::kMins:
        case Op::kMaxs: return ClampTemporary(size);
        case Op::kPower: return PowerTemporary(size, type == Type::kInt32, true);
        case Op::kPowerScalar:
        case Op::kScalarPower: return PowerTemporary(size, type == Type::kInt32, false);
        default: return 0;
    }
}

void MathUnary(const char* api, Op op, Type type, const Local& dst, const Local& src, const Local* work, int64_t count,
               bool reuse) {
    MathBinary(api, op, type, dst, src, nullptr, 0, work, count, reuse);
}

void MathBinary(const char* api, Op op, Type type, const Local& dst, const Local& src0, const Local* src1,
                double scalar, const Local* work, int64_t count, bool reuse) {
    if (count > 0) UseAtLeast(api, work, LeastTemporary(op, type, reuse));
    Vector(api, op, type, type, dst, &src0, src1, scalar, count);
}

Local RestOfUb() {
    Note("PopStackBuffer");
    Core& c = core();
    Local view;
    view.data = c.memory.ub + c.memory.top[kUb];
    view.bytes = kUbBytes - std::min(c.memory.top[kUb], kUbBytes);
    view.position = TPosition::VECCALC;
    return view;
}

}  // namespace twin
