// Fixpipe: results of Mmad from L0C to GM or L1, converted on the way.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cube.h"
#include "numbers.h"

namespace twin {

namespace {

/// Fields of a 64-bit scale.
struct Scale {
    float factor;
    uint32_t shift;  // 0: none
    int32_t offset;
    bool isSigned;  // of results of 8 bits
};

Scale ScaleOf(uint64_t bits) {
    // The hardware's factor has 10 bits of mantissa.
    const uint32_t factor = static_cast<uint32_t>(bits) & ~0x1fffu;
    int32_t offset = static_cast<int32_t>(bits >> 37 & 0x1ff);
    if (offset > 255) offset -= 512;
    return {__builtin_bit_cast(float, factor), (bits >> 36 & 1) != 0 ? static_cast<uint32_t>(bits >> 32 & 0xf) + 1 : 0,
            offset, (bits >> 46 & 1) != 0};
}

bool IsVectorMode(QuantMode_t mode) { return mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8; }

/// "fixpipe-params" unless the mode converts between these types.
void CheckMode(QuantMode_t mode, Type dst, Type src, bool hasScales) {
    const bool fromFloat = src == Type::kFloat;
    const bool toByte = dst == Type::kInt8 || dst == Type::kUint8;
    bool ok = false;
    switch (mode) {
        case NoQuant: ok = dst == src; break;
        case F322F16: ok = fromFloat && dst == Type::kHalf; break;
        case F322BF16: ok = fromFloat && dst == Type::kBfloat16; break;
        case DEQF16:
        case VDEQF16: ok = !fromFloat && dst == Type::kHalf; break;
        case QF322B8_PRE:
        case VQF322B8_PRE: ok = fromFloat && toByte; break;
        case REQ8:
        case VREQ8: ok = !fromFloat && toByte; break;
    }
    if (!ok) {
        Broken("fixpipe-params", "",
               Text("quantPre %d of Fixpipe does not convert %s to %s", static_cast<int>(mode), TypeName(src),
                    TypeName(dst)),
               "NoQuant keeps the type, F322F16 and F322BF16 round float, DEQF16 scales int32_t to half");
    }
    if (IsVectorMode(mode) && !hasScales)
        Broken("fixpipe-params", "", "quantPre of Fixpipe wants a scale for each column, and none is given",
               "pass the tensor of scales as cbufWorkspace, or to SetFixPipeConfig before DataCopy");
}

float Scaled(const uint8_t* from, Type src, const Scale& scale) {
    if (src == Type::kFloat) {
        float value;
        std::memcpy(&value, from, 4);
        return value * scale.factor;
    }
    int32_t value;
    std::memcpy(&value, from, 4);
    if (scale.shift > 0) value = std::clamp(value >> scale.shift, -32768, 32767);
    return static_cast<float>(value) * scale.factor;
}

void CheckParams(const Local& src, const AscendC::FixpipeParamsV220& p, bool rowMajor) {
    RequirePosition(src, "src", SpaceOf(src.position) == kL0c, "CO1");
    CheckAligned(src, "src");
    if (p.nSize > 4095 || (rowMajor && p.mSize > 8192))
        Broken("fixpipe-params", BufferName(src),
               Text("Fixpipe of %u x %u; mSize is at most 8192 and nSize 4095", p.mSize, p.nSize), "split the copy");
    if (!rowMajor && p.nSize % 16 != 0)
        Broken("fixpipe-params", BufferName(src), Text("Fixpipe keeps columns of 16, and nSize is %u", p.nSize),
               "round nSize up to 16");
    if (p.dstStride == 0)
        Broken("fixpipe-params", BufferName(src), "dstStride of Fixpipe is 0",
               "give the elements of a row of the destination");
    if (p.isChannelSplit) Broken("not-covered", BufferName(src), "Fixpipe with isChannelSplit", "write columns of 16");
}

struct Result {
    const Local& src;
    Type dstType, srcType;
    const AscendC::FixpipeParamsV220& p;
    std::vector<uint64_t> scales;  // one, or one for each column
};

/// `columns` values of row m from column n on, of the matrix at `offset`. Returns the first column nobody computed,
/// `columns` when none.
uint32_t ReadRow(const Result& r, uint64_t offset, uint32_t m, uint32_t n, uint32_t columns, uint8_t* to) {
    Core& c = core();
    uint32_t unknown = columns;
    for (uint32_t i = 0; i < columns; ++i) {
        const uint64_t element = (static_cast<uint64_t>((n + i) / 16) * r.p.srcStride + m) * 16 + (n + i) % 16;
        const auto at = static_cast<uint32_t>(r.src.data - c.memory.ub + offset + element * 4);
        ConvertResult(c.memory.ub + at, to + i * TypeBytes(r.dstType), r.dstType, r.srcType, r.p.quantPre, r.p.reluEn,
                      r.scales[r.scales.size() > 1 ? n + i : 0]);
        if (unknown == columns && !AllDefined(at, 4)) unknown = i;
    }
    return unknown;
}

void Store(const Result& r, uint8_t* address, uint64_t offset, uint32_t m, uint32_t n, uint32_t columns) {
    Core& c = core();
    uint8_t row[4096 * 4];
    const uint32_t size = TypeBytes(r.dstType);
    const uint32_t unknown = ReadRow(r, offset, m, n, columns, row);
    const GmPlace place = GmCheck(address, static_cast<uint64_t>(columns) * size, size, Access::kWrite, "dst");
    GmWrite(place, static_cast<uint64_t>(columns) * size, row, c.registers.atomicOp != 0 ? Way::kAtomic : Way::kPast);
    NoteStore(c, place, static_cast<uint64_t>(columns) * size, PIPE_FIX);
    if (c.registers.atomicOp == 0) std::memcpy(address, row, static_cast<size_t>(columns) * size);
    else
        AtomicInto(c.registers.atomicType, c.registers.atomicOp, address, row,
                   static_cast<uint64_t>(columns) * size / TypeBytes(c.registers.atomicType));
    if (unknown == columns) return;
    GmUndefined({place.state, place.offset + unknown * size}, static_cast<uint64_t>(columns - unknown) * size,
                Text("Fixpipe copied row %u, column %u of %s, which no Mmad had computed from written values", m,
                     n + unknown, BufferName(r.src).c_str()));
}

std::vector<uint64_t> ReadScales(const Local* scales, const AscendC::FixpipeParamsV220& p) {
    if (scales == nullptr || !IsVectorMode(p.quantPre)) return {p.deqScalar};
    const bool set = scales == &core().registers.result.scales;
    const char* operand = set ? "the tensor of SetFixPipeConfig" : "cbufWorkspace";
    RequirePosition(*scales, operand, SpaceOf(scales->position) == (set ? kFixpipe : kL1),
                    set ? "C2PIPE2GM" : "C1 or A1");
    CheckAligned(*scales, operand);
    const uint32_t bytes = p.nSize * 8;
    const uint32_t at = Touch(*scales, operand, 0, bytes, PIPE_FIX, Access::kRead);
    RequireDefined(*scales, operand, at, bytes);
    std::vector<uint64_t> values(p.nSize);
    std::memcpy(values.data(), core().memory.ub + at, bytes);
    return values;
}

/// Checks what both directions share, and touches what is read of the matrix at `offset`.
void TouchSource(const Local& src, const AscendC::FixpipeParamsV220& p, uint64_t offset) {
    if (p.unitFlag != 0) Join(PIPE_FIX, Snapshot(PIPE_M));
    for (uint32_t block = 0; block * 16 < p.nSize; ++block) {
        Touch(src, "src", offset + static_cast<uint64_t>(block) * p.srcStride * 64, static_cast<uint64_t>(p.mSize) * 64,
              PIPE_FIX, Access::kRead);
    }
}

}  // namespace

void ConvertResult(const uint8_t* from, uint8_t* to, Type dst, Type src, QuantMode_t mode, bool relu,
                   uint64_t scaleBits) {
    if (mode == NoQuant) {
        int32_t value;
        std::memcpy(&value, from, 4);
        if (relu && value < 0) value = 0;  // the sign of a float is the sign of its bits
        std::memcpy(to, &value, 4);
        return;
    }
    Scale scale = mode == F322F16 || mode == F322BF16 ? Scale{1.0f, 0, 0, false} : ScaleOf(scaleBits);
    float value = Scaled(from, src, scale);
    if (relu && value < 0) value = 0;
    if (dst == Type::kHalf) return FloatToHalf(&value, reinterpret_cast<uint16_t*>(to), 1);
    if (dst == Type::kBfloat16) return FloatToBfloat16(&value, reinterpret_cast<uint16_t*>(to), 1);
    const float whole = std::nearbyintf(value + static_cast<float>(scale.offset));
    // The sign is a bit of the scale, whatever type the destination is declared with.
    const float low = scale.isSigned ? -128.0f : 0.0f, high = scale.isSigned ? 127.0f : 255.0f;
    *to = static_cast<uint8_t>(static_cast<int32_t>(std::isnan(whole) ? 0.0f : std::clamp(whole, low, high)));
}

void SetResultRows(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
    if (!core().cube) return;
    Note("SetFixpipeNz2ndFlag");
    if (ndNum == 0 || srcNdStride > 512) {
        Broken(
            "fixpipe-params", "",
            Text("SetFixpipeNz2ndFlag with ndNum %u and srcNdStride %u; ndNum is at least 1, srcNdStride at most 512",
                 ndNum, srcNdStride),
            "srcNdStride counts 1024 bytes from one matrix to the next");
    }
    core().registers.result.ndNum = ndNum;
    core().registers.result.srcNdStride = srcNdStride;
    core().registers.result.dstNdStride = dstNdStride;
}

void SetResultScale(uint64_t scale) {
    if (!core().cube) return;
    Note("SetFixpipePreQuantFlag");
    core().registers.result.scale = scale;
}

void SetResultScales(const Local& scales) {
    if (!OnThisCore(scales)) return;
    Note("SetFixPipeConfig");
    RequirePosition(scales, "quantPre", SpaceOf(scales.position) == kFixpipe, "C2PIPE2GM");
    core().registers.result.scales = scales;
}

const Local* ResultScales() {
    return core().registers.result.scales.data == nullptr ? nullptr : &core().registers.result.scales;
}

AscendC::FixpipeParamsV220 ResultParams(const AscendC::DataCopyCO12DstParams& p) {
    const auto& set = core().registers.result;
    if (core().cube && (p.reluPre > 1 || p.clipReluPre != 0 || p.eltWiseOp != 0)) {
        Broken("not-covered", "",
               Text("DataCopy out of L0C with reluPre %u, clipReluPre %u, eltWiseOp %u", p.reluPre, p.clipReluPre,
                    p.eltWiseOp),
               "reluPre 0 and 1 are covered");
    }
    AscendC::FixpipeParamsV220 result(p.nSize, p.mSize, p.srcStride, p.dstStride, p.reluPre == 1);
    result.quantPre = p.quantPre;
    result.deqScalar = set.scale;
    result.ndNum = set.ndNum;
    result.srcNdStride = set.srcNdStride;
    result.dstNdStride = set.dstNdStride;
    result.unitFlag = p.unitFlag;
    result.isChannelSplit = p.channelSplit;
    return result;
}

void CopyResult(const Global& dst, const Local& src, const Local* scales, Type dstType, Type srcType,
                AscendC::CO2Layout layout, const AscendC::FixpipeParamsV220& p) {
    if (!OnThisCore(src)) return;
    Begin("Fixpipe", PIPE_FIX);
    const bool rowMajor = layout == AscendC::CO2Layout::ROW_MAJOR;
    if (p.nSize == 0 || p.mSize == 0 || p.ndNum == 0) return;
    CheckParams(src, p, rowMajor);
    CheckMode(p.quantPre, dstType, srcType, scales != nullptr);
    const Result result{src, dstType, srcType, p, ReadScales(scales, p)};
    const uint32_t size = TypeBytes(dstType);
    const auto to = [&](uint64_t bytes) { return dst.data == nullptr ? nullptr : dst.data + bytes; };
    for (uint32_t nd = 0; nd < (rowMajor ? p.ndNum : 1); ++nd) {
        const uint64_t offset = static_cast<uint64_t>(nd) * p.srcNdStride * 1024;
        TouchSource(src, p, offset);
        for (uint32_t m = 0; m < p.mSize; ++m) {
            if (rowMajor) {
                Store(result,
                      to((static_cast<uint64_t>(nd) * p.dstNdStride + static_cast<uint64_t>(m) * p.dstStride) * size),
                      offset, m, 0, p.nSize);
                continue;
            }
            for (uint32_t n = 0; n < p.nSize; n += 16)
                Store(result, to(static_cast<uint64_t>(n / 16) * p.dstStride * 32 + m * 16ull * size), offset, m, n,
                      16);
        }
    }
}

void CopyResult(const Local& dst, const Local& src, const Local* scales, Type dstType, Type srcType,
                const AscendC::FixpipeParamsV220& p) {
    if (!OnThisCore(src)) return;
    Begin("Fixpipe", PIPE_FIX);
    if (p.nSize == 0 || p.mSize == 0) return;
    CheckParams(src, p, false);
    CheckMode(p.quantPre, dstType, srcType, scales != nullptr);
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL1, "A1 or B1");
    CheckAligned(dst, "dst");
    const Result result{src, dstType, srcType, p, ReadScales(scales, p)};
    TouchSource(src, p, 0);
    const uint32_t bytes = 16 * TypeBytes(dstType);
    for (uint32_t n = 0; n < p.nSize; n += 16) {
        const uint32_t at = Touch(dst, "dst", static_cast<uint64_t>(n / 16) * p.dstStride * 32,
                                  static_cast<uint64_t>(p.mSize) * bytes, PIPE_FIX, Access::kWrite);
        for (uint32_t m = 0; m < p.mSize; ++m) {
            const uint32_t unknown = ReadRow(result, 0, m, n, 16, core().memory.ub + at + m * bytes);
            Define(at + m * bytes, bytes, unknown == 16);
        }
    }
}

}  // namespace twin
