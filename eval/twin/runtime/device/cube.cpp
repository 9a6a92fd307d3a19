// The cube core's ways in: GM to L1, L1 to L0A, L0B, bias table and fixpipe buffer.
#include <algorithm>
#include <cstring>

#include "cube.h"
#include "numbers.h"

namespace twin {

namespace {

constexpr uint32_t kRowBytes = 32;  // of a fractal, which has 16

/// Moves bytes and whether they are defined.
void MoveDefined(uint32_t to, uint32_t from, uint32_t bytes) {
    Core& c = core();
    std::memcpy(c.memory.ub + to, c.memory.ub + from, bytes);
    std::memcpy(c.memory.defined.data() + to, c.memory.defined.data() + from, bytes);
}

/// Writes bytes, and which of them are defined. A write that leaves everything as it was is no more than a read to
/// other pipes: none can see when it happens.
void WriteBytes(const Local& dst, uint64_t offset, const void* bytes, const uint8_t* defined, uint32_t count,
                pipe_t pipe) {
    Core& c = core();
    const uint32_t to = Touch(dst, "dst", offset, count, pipe, Access::kRead);
    if (std::memcmp(c.memory.ub + to, bytes, count) == 0 &&
        std::memcmp(c.memory.defined.data() + to, defined, count) == 0)
        return;
    Touch(dst, "dst", offset, count, pipe, Access::kWrite);
    std::memcpy(c.memory.ub + to, bytes, count);
    std::memcpy(c.memory.defined.data() + to, defined, count);
}

void CheckNd2Nz(const Local& dst, const AscendC::Nd2NzParams& p) {
    if (p.ndNum > 4095 || p.nValue > 16384 || p.dstNzC0Stride > 16384 || p.dstNzNStride > 16384 ||
        p.dstNzMatrixStride > 16384) {
        Broken("copy-params", BufferName(dst),
               Text("Nd2NzParams with ndNum %u, nValue %u, dstNzC0Stride %u, dstNzNStride %u, dstNzMatrixStride %u; "
                    "ndNum is at most 4095, the others 16384",
                    p.ndNum, p.nValue, p.dstNzC0Stride, p.dstNzNStride, p.dstNzMatrixStride),
               "split the copy");
    }
    if (p.srcDValue == 0 || p.dstNzC0Stride == 0 || p.dstNzNStride == 0) {
        Broken("copy-params", BufferName(dst),
               Text("Nd2NzParams with srcDValue %u, dstNzC0Stride %u, dstNzNStride %u; these are at least 1",
                    p.srcDValue, p.dstNzC0Stride, p.dstNzNStride),
               "a 16-bit field holds at most 65535: copy row by row when the source rows are longer");
    }
}

void CopyMatrix(const Local& dst, const uint8_t* src, uint64_t dstOffset, uint32_t elementBytes,
                const AscendC::Nd2NzParams& p) {
    Core& c = core();
    const uint32_t rowBytes = p.dValue * elementBytes;
    const uint64_t rowStride = static_cast<uint64_t>(p.dstNzNStride) * kRowBytes;
    for (uint32_t row = 0; row < p.nValue; ++row) {
        const uint8_t* from = src == nullptr ? nullptr : src + static_cast<uint64_t>(row) * p.srcDValue * elementBytes;
        GmRead(GmCheck(from, rowBytes, elementBytes, Access::kRead, "src"), rowBytes);
    }
    for (uint32_t column = 0; column * kRowBytes < rowBytes; ++column) {
        const uint64_t start = dstOffset + static_cast<uint64_t>(column) * p.dstNzC0Stride * kRowBytes;
        const uint32_t bytes = std::min(kRowBytes, rowBytes - column * kRowBytes);
        // One check for a whole column when its rows are neighbours.
        if (p.dstNzNStride == 1)
            Touch(dst, "dst", start, static_cast<uint64_t>(p.nValue) * kRowBytes, PIPE_MTE2, Access::kWrite);
        for (uint32_t row = 0; row < p.nValue; ++row) {
            const uint64_t offset = start + row * rowStride;
            const uint32_t at = p.dstNzNStride == 1 ? static_cast<uint32_t>(dst.data - c.memory.ub + offset)
                                                    : Touch(dst, "dst", offset, kRowBytes, PIPE_MTE2, Access::kWrite);
            std::memcpy(c.memory.ub + at,
                        src + static_cast<uint64_t>(row) * p.srcDValue * elementBytes + column * kRowBytes, bytes);
            std::memset(c.memory.ub + at + bytes, 0, kRowBytes - bytes);
            Define(at, kRowBytes);
        }
    }
}

void CheckL0(const Local& dst, const Local* src) {
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL0a || SpaceOf(dst.position) == kL0b, "A2 or B2");
    if (src != nullptr) RequirePosition(*src, "src", SpaceOf(src->position) == kL1, "A1 or B1");
}

/// Number of the fractal (or square) that a repeat reads.
int64_t SourceIndex(const char* api, uint32_t start, uint32_t stride, uint32_t repeat, bool down) {
    const int64_t index = down ? static_cast<int64_t>(start) - static_cast<int64_t>(stride) * repeat
                               : static_cast<int64_t>(start) + static_cast<int64_t>(stride) * repeat;
    if (index < 0)
        Broken("copy-params", "", Text("%s counts down to fractal %lld", api, static_cast<long long>(index)),
               "start behind the last fractal, or count up (addrMode 0)");
    return index;
}

/// One 16x16 fractal of 16-bit elements, rows and columns swapped.
void TransposeFractal(uint32_t to, uint32_t from) {
    Core& c = core();
    for (uint32_t row = 0; row < 16; ++row)
        for (uint32_t column = 0; column < 16; ++column)
            MoveDefined(to + (column * 16 + row) * 2, from + (row * 16 + column) * 2, 2);
    (void)c;
}

/// Moves half a byte; a byte is defined when its second half comes, if both are.
void MoveNibble(uint32_t to, uint32_t toPlace, uint32_t from, uint32_t fromPlace) {
    Core& c = core();
    const uint32_t target = to + toPlace / 2, source = from + fromPlace / 2;
    const uint8_t value = c.memory.ub[source] >> fromPlace % 2 * 4 & 0xf;
    const auto kept = static_cast<uint8_t>(toPlace % 2 == 0 ? c.memory.ub[target] & 0xf0 : c.memory.ub[target] & 0xf);
    c.memory.ub[target] = static_cast<uint8_t>(kept | value << toPlace % 2 * 4);
    Define(target, 1, AllDefined(source, 1) && (toPlace % 2 == 0 || AllDefined(target, 1)));
}

/// 64 x 64 of int4b_t in four fractals of 16 rows and 64 columns, which become rows of 64 of the transposed square.
void TransposeNibbles(const Local& dst, uint64_t dstOffset, uint32_t from, uint32_t gap) {
    uint32_t at[4];
    for (uint32_t f = 0; f < 4; ++f)
        at[f] = Touch(dst, "dst", dstOffset + static_cast<uint64_t>(f) * gap, kFractalBytes, PIPE_MTE1, Access::kWrite);
    for (uint32_t column = 0; column < 64; ++column)
        for (uint32_t row = 0; row < 64; ++row)
            MoveNibble(at[column / 16], column % 16 * 64 + row, from, row * 64 + column);
}

/// One square of `side` rows and columns, its rows in fractals as L1 has them, into fractals `gap` bytes from start to
/// start.
void TransposeSquare(const Local& dst, uint64_t dstOffset, uint32_t from, uint32_t elementBits, uint32_t gap) {
    if (elementBits == 4) return TransposeNibbles(dst, dstOffset, from, gap);
    const uint32_t elementBytes = elementBits / 8;
    const uint32_t side = elementBytes == 1 ? 32 : 16, c0 = kRowBytes / elementBytes;
    const uint32_t fractals = side * side * elementBytes / kFractalBytes;
    uint32_t at[2];
    for (uint32_t f = 0; f < fractals; ++f)
        at[f] = Touch(dst, "dst", dstOffset + static_cast<uint64_t>(f) * gap, kFractalBytes, PIPE_MTE1, Access::kWrite);
    for (uint32_t row = 0; row < side; ++row) {
        for (uint32_t column = 0; column < side; ++column) {
            const uint32_t source = (column / c0) * 16 * c0 + row * c0 + column % c0;
            // 8-bit: rows of 32, 16 of them to a fractal. 32-bit: rows of 8, so a fractal holds 8 source rows.
            const uint32_t fractal = elementBytes == 1 ? column / 16 : row / c0;
            const uint32_t inside = elementBytes == 1 ? (column % 16) * 32 + row : column * c0 + row % c0;
            MoveDefined(at[fractal] + inside * elementBytes, from + source * elementBytes, elementBytes);
        }
    }
}

}  // namespace

void RequirePosition(const Local& t, const char* operand, bool ok, const char* expected) {
    if (ok || t.data == nullptr) return;
    Broken("wrong-position", BufferName(t),
           Text("%s of %s is at position %s; it belongs in %s", operand, core().account.api, PositionName(t.position),
                expected),
           "allocate the tensor from a buffer of that position");
}

void CopyNd2Nz(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::Nd2NzParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("DataCopy", PIPE_MTE2);
    // To UB the vendor's library does it by plain copies (page "GM to UB, ND2NZ").
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL1 || SpaceOf(dst.position) == kUb, "A1, B1 or UB");
    CheckAligned(dst, "dst");
    if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
    CheckNd2Nz(dst, p);
    for (uint32_t i = 0; i < p.ndNum; ++i) {
        const uint8_t* from =
            src.data == nullptr ? nullptr : src.data + static_cast<uint64_t>(i) * p.srcNdMatrixStride * elementBytes;
        CopyMatrix(dst, from, static_cast<uint64_t>(i) * p.dstNzMatrixStride * elementBytes, elementBytes, p);
    }
}

void CopyFromL1(const Local& dst, const Local& src, const CopyShape& shape) {
    const bool toFixpipe = SpaceOf(dst.position) == kFixpipe;
    const pipe_t pipe = toFixpipe ? PIPE_FIX : PIPE_MTE1;
    Begin("DataCopy", pipe);
    RequirePosition(src, "src", SpaceOf(src.position) == kL1, "C1");
    RequirePosition(dst, "dst", toFixpipe || SpaceOf(dst.position) == kBias, "C2 or C2PIPE2GM");
    CheckAligned(dst, "dst", toFixpipe ? 128 : 64);
    CheckAligned(src, "src");
    for (uint64_t i = 0; i < shape.blocks && shape.bytes > 0; ++i) {
        const uint32_t from = Touch(src, "src", i * (shape.bytes + shape.srcGap), shape.bytes, pipe, Access::kRead);
        WriteBytes(dst, i * (shape.bytes + shape.dstGap), core().memory.ub + from, core().memory.defined.data() + from,
                   static_cast<uint32_t>(shape.bytes), pipe);
    }
}

void CopyBias(const Local& dst, Type dstType, const Local& src, Type srcType, const AscendC::DataCopyParams& p) {
    if (!OnThisCore(dst)) return;
    constexpr uint32_t kUnit = 64;
    if (dstType == Type::kInt32 || srcType != Type::kHalf)
        return CopyFromL1(dst, src,
                          {p.blockCount, p.blockLen * kUnit, p.srcStride * 32ull, p.dstStride * 1ull * kUnit});
    Begin("DataCopy", PIPE_MTE1);
    RequirePosition(src, "src", SpaceOf(src.position) == kL1, "C1");
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kBias, "C2");
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    // The length counts what is read; floats take twice that.
    const uint32_t bytes = p.blockLen * kUnit;
    std::vector<float> wide(bytes / 2);
    std::vector<uint8_t> defined(2 * bytes);
    for (uint32_t i = 0; i < p.blockCount && p.blockLen != 0; ++i) {
        const uint32_t from = Touch(src, "src", i * (bytes + p.srcStride * 32ull), bytes, PIPE_MTE1, Access::kRead);
        HalfToFloat(reinterpret_cast<const uint16_t*>(core().memory.ub + from), wide.data(), bytes / 2);
        for (uint32_t b = 0; b < bytes; b += 2) std::memset(defined.data() + 2 * b, AllDefined(from + b, 2), 4);
        WriteBytes(dst, i * (2ull * bytes + p.dstStride * 1ull * kUnit), wide.data(), defined.data(), 2 * bytes,
                   PIPE_MTE1);
    }
}

void LoadFractals(const Local& dst, const Local& src, uint32_t elementBytes, const AscendC::LoadData2DParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("LoadData", PIPE_MTE1);
    CheckL0(dst, &src);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    if (p.ifTranspose && elementBytes != 2)
        Broken("unsupported-type", BufferName(src),
               Text("LoadData transposes 16-bit types only; this one has %u bytes", elementBytes),
               "use LoadDataWithTranspose");
    for (uint32_t i = 0; i < p.repeatTimes; ++i) {
        const int64_t index = SourceIndex("LoadData", p.startIndex, p.srcStride, i, p.addrMode != 0);
        const uint32_t from =
            Touch(src, "src", static_cast<uint64_t>(index) * kFractalBytes, kFractalBytes, PIPE_MTE1, Access::kRead);
        const uint32_t to = Touch(dst, "dst", static_cast<uint64_t>(i) * (p.dstGap + 1) * kFractalBytes, kFractalBytes,
                                  PIPE_MTE1, Access::kWrite);
        if (p.ifTranspose) TransposeFractal(to, from);
        else MoveDefined(to, from, kFractalBytes);
    }
}

void LoadFractals(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::LoadData2DParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("LoadData", PIPE_MTE2);
    RequirePosition(dst, "dst", SpaceOf(dst.position) != kUb && SpaceOf(dst.position) <= kL0b, "A1, B1, A2 or B2");
    CheckAligned(dst, "dst");
    if (p.ifTranspose) Broken("copy-params", BufferName(dst), "LoadData from GM cannot transpose", "copy to L1 first");
    for (uint32_t i = 0; i < p.repeatTimes; ++i) {
        const int64_t index = SourceIndex("LoadData", p.startIndex, p.srcStride, i, p.addrMode != 0);
        const uint8_t* from = src.data == nullptr ? nullptr : src.data + index * static_cast<int64_t>(kFractalBytes);
        GmRead(GmCheck(from, kFractalBytes, elementBytes, Access::kRead, "src"), kFractalBytes);
        const uint32_t to = Touch(dst, "dst", static_cast<uint64_t>(i) * (p.dstGap + 1) * kFractalBytes, kFractalBytes,
                                  PIPE_MTE2, Access::kWrite);
        std::memcpy(core().memory.ub + to, from, kFractalBytes);
        Define(to, kFractalBytes);
    }
}

void RefuseOnCube(const Local& dst, const char* api, const char* instead) {
    if (OnThisCore(dst))
        Broken("unsupported-api", "", Text("%s is declared for other devices; Atlas A2 has no such instruction", api),
               Text("use %s", instead));
}

void LoadSparse(const Local& dst, const Local& src, const Local& index, const AscendC::LoadData2DParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("LoadDataWithSparse", PIPE_MTE1);
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL0b, "B2");
    RequirePosition(src, "src", SpaceOf(src.position) == kL1, "B1");
    RequirePosition(index, "idx", SpaceOf(index.position) == kL1, "B1");
    CheckAligned(dst, "dst", kFractalBytes);
    CheckAligned(src, "src");
    CheckAligned(index, "idx");
    Core& c = core();
    constexpr uint32_t kIndexBytes = kFractalBytes / 4;
    c.registers.sparse.bytes.resize(kSpace[kL0b].bytes / 4);
    c.registers.sparse.defined.resize(c.registers.sparse.bytes.size());
    for (uint32_t i = 0; i < p.repeatTimes; ++i) {
        const uint64_t fractal = p.startIndex + i;
        const uint32_t from = Touch(src, "src", fractal * kFractalBytes, kFractalBytes, PIPE_MTE1, Access::kRead);
        const uint32_t numbers = Touch(index, "idx", fractal * kIndexBytes, kIndexBytes, PIPE_MTE1, Access::kRead);
        const uint32_t to =
            Touch(dst, "dst", static_cast<uint64_t>(i) * kFractalBytes, kFractalBytes, PIPE_MTE1, Access::kWrite);
        MoveDefined(to, from, kFractalBytes);
        const uint32_t beside = (to - kSpace[kL0b].begin) / 4;
        std::memcpy(c.registers.sparse.bytes.data() + beside, c.memory.ub + numbers, kIndexBytes);
        std::memcpy(c.registers.sparse.defined.data() + beside, c.memory.defined.data() + numbers, kIndexBytes);
    }
}

void LoadTransposed(const Local& dst, const Local& src, uint32_t elementBits,
                    const AscendC::LoadData2dTransposeParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("LoadDataWithTranspose", PIPE_MTE1);
    CheckL0(dst, &src);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    if (elementBits == 4)
        RequirePosition(dst, "dst", SpaceOf(dst.position) == kL0b,
                        "B2, as LoadDataWithTranspose of 4-bit types goes nowhere else");
    const uint32_t fractals = elementBits == 16 ? 1 : 2, square = (elementBits == 4 ? 4 : fractals) * kFractalBytes;
    for (uint32_t i = 0; i < p.repeatTimes; ++i) {
        const int64_t index = SourceIndex("LoadDataWithTranspose", p.startIndex, p.srcStride, i, p.addrMode != 0);
        const uint32_t from =
            Touch(src, "src", static_cast<uint64_t>(index) * square, square, PIPE_MTE1, Access::kRead);
        TransposeSquare(dst, static_cast<uint64_t>(i) * (p.dstGap + 1) * kFractalBytes, from, elementBits,
                        (p.dstFracGap + 1) * kFractalBytes);
    }
}

void FillMatrix(const Local& dst, uint32_t elementBytes, uint32_t value, uint32_t repeatTimes, uint32_t blockNum,
                uint32_t dstGap) {
    if (!OnThisCore(dst)) return;
    const SpaceId where = SpaceOf(dst.position);
    const pipe_t pipe = where == kL1 ? PIPE_MTE2 : PIPE_MTE1;
    Begin("Fill", pipe);
    RequirePosition(dst, "dst", where == kL1 || where == kL0a || where == kL0b, "A1, B1, A2 or B2");
    if (repeatTimes > 32767 || blockNum > 32767 || dstGap > 32767) {
        Broken("copy-params", BufferName(dst),
               Text("Fill with repeatTimes %u, blockNum %u and dstGap %u; each is at most 32767", repeatTimes, blockNum,
                    dstGap),
               "split the call");
    }
    CheckAligned(dst, "dst");
    Core& c = core();
    const uint64_t block = where == kL1 ? kRowBytes : kFractalBytes, bytes = blockNum * block;
    for (uint64_t r = 0; r < repeatTimes && blockNum != 0; ++r) {
        const uint32_t at = Touch(dst, "dst", r * (bytes + dstGap * block), bytes, pipe, Access::kWrite);
        for (uint64_t b = 0; b < bytes; b += elementBytes) std::memcpy(c.memory.ub + at + b, &value, elementBytes);
        Define(at, bytes);
    }
}

}  // namespace twin
