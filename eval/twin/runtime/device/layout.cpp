// Elements in another order: Pad, UnPad, the transpositions and TransData.
#include "twin/layout.h"

#include <algorithm>
#include <cstring>

#include "core.h"
#include "cube.h"
#include "twin/norm.h"

namespace twin {

using AscendC::DataFormat;
using AscendC::TransposeType;

namespace {

constexpr uint64_t kFractal = 16;

uint64_t UpTo(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Moves single elements from src to dst with what is known of them. What is not moved is as if nobody wrote it.
class Mover {
public:
    Mover(const char* api, uint32_t elementBytes, const Local& dst, uint64_t dstElements, const Local& src,
          uint64_t srcElements)
        : bytes_(elementBytes) {
        CheckAligned(dst, "dst");
        CheckAligned(src, "src");
        const uint64_t to = dstElements * elementBytes, from = srcElements * elementBytes;
        if (src.data < dst.data + to && dst.data < src.data + from)
            Broken("partial-overlap", BufferName(dst), Text("dst of %s lies over its source", api),
                   "give dst memory of its own");
        from_ = Touch(src, "src", 0, from, PIPE_V, Access::kRead);
        to_ = Touch(dst, "dst", 0, to, PIPE_V, Access::kWrite);
        if (!AllDefined(from_, from)) NoteUnwritten(dst, src, "src", from_);
        Define(to_, to, false);
    }
    void Move(uint64_t dst, uint64_t src) const {
        Core& c = core();
        const uint64_t a = from_ + src * bytes_, b = to_ + dst * bytes_;
        std::memcpy(c.memory.ub + b, c.memory.ub + a, bytes_);
        std::memcpy(c.memory.defined.data() + b, c.memory.defined.data() + a, bytes_);
    }
    void Set(uint64_t dst, const void* value) const {
        std::memcpy(core().memory.ub + to_ + dst * bytes_, value, bytes_);
        Define(static_cast<uint32_t>(to_ + dst * bytes_), bytes_);
    }

private:
    uint32_t bytes_, from_, to_;
};

[[noreturn]] void WrongShape(const char* api, const Local& t, const std::string& seen, const char* fix) {
    Broken("operand-shape", BufferName(t), Text("%s of %s", api, seen.c_str()), fix);
}

/// Of a matrix of rows x columns, batch by batch: where an element stands, plainly or in fractals of 16 x 16.
struct Matrix {
    uint64_t rows, columns;
    bool fractal;
    uint64_t Size() const { return fractal ? UpTo(rows, kFractal) * UpTo(columns, kFractal) : rows * columns; }
    uint64_t At(uint64_t batch, uint64_t r, uint64_t k) const {
        if (!fractal) return (batch * rows + r) * columns + k;
        return batch * Size() + k / kFractal * UpTo(rows, kFractal) * kFractal + r * kFractal + k % kFractal;
    }
};

/// B, N, S and H / N of a tiling, and the two tensors that a kind goes between: for each batch one matrix, or N.
struct Arrangement {
    Matrix src, dst;
    bool srcByN, dstByN;  // N matrices of a batch
    bool exchanged;       // the result has S in front of N
};

Arrangement ArrangementOf(TransposeType kind, uint64_t n, uint64_t s, uint64_t part) {
    const Matrix apart{s, part, true}, joined{s, n * part, true};
    switch (kind) {
        case TransposeType::TRANSPOSE_NZ2ND_0213: return {apart, {s, n * part, false}, true, false, false};
        case TransposeType::TRANSPOSE_NZ2NZ_0213: return {apart, {n, part, true}, true, false, true};
        case TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N: return {joined, apart, false, true, false};
        // Rows of the result are padded to sixteen elements.
        case TransposeType::TRANSPOSE_NZ2ND_012_WITH_N:
            return {joined, {s, UpTo(part, kFractal), false}, false, true, false};
        case TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N:
            return {apart, {s, UpTo(n * part, kFractal), false}, true, false, false};
        default: return {apart, joined, true, false, false};
    }
}

void MoveHeads(uint32_t elementBytes, const Local& dst, const Local& src, TransposeType kind,
               const ConfusionTransposeTiling& t) {
    const uint64_t b = t.param1, n = t.param2, s = t.param3, part = t.param4;
    const Arrangement a = ArrangementOf(kind, n, s, part);
    const uint64_t dstMatrices = a.exchanged ? b * s : a.dstByN ? b * n : b;
    const Mover mover("Transpose", elementBytes, dst, dstMatrices * a.dst.Size(), src,
                      (a.srcByN ? b * n : b) * a.src.Size());
    for (uint64_t i = 0; i < b; ++i) {
        for (uint64_t head = 0; head < n; ++head) {
            for (uint64_t at = 0; at < s * part; ++at) {
                const uint64_t row = at / part, k = at % part, wide = head * part + k;
                const uint64_t from = a.srcByN ? a.src.At(i * n + head, row, k) : a.src.At(i, row, wide);
                if (a.exchanged) mover.Move(a.dst.At(i * s + row, head, k), from);
                else mover.Move(a.dstByN ? a.dst.At(i * n + head, row, k) : a.dst.At(i, row, wide), from);
            }
        }
    }
}

void MovePlain(uint32_t elementBytes, const Local& dst, const Local& src, uint64_t height, uint64_t width) {
    if (height % kFractal != 0 || width % kFractal != 0)
        WrongShape("Transpose", src,
                   Text("%llu x %llu elements", static_cast<unsigned long long>(height),
                        static_cast<unsigned long long>(width)),
                   "TRANSPOSE_ND2ND_ONLY takes multiples of 16 for both axes");
    const Mover mover("Transpose", elementBytes, dst, height * width, src, height * width);
    for (uint64_t i = 0; i < height * width; ++i) mover.Move(i % width * height + i / width, i);
}

/// Five axes as the plain format names them.
struct Volume {
    uint64_t n, c, d, h, w;
    uint64_t Plane() const { return UpTo(h * w, kFractal); }
    uint64_t PlainSize() const { return n * c * d * Plane(); }
    uint64_t Plain(uint64_t batch, uint64_t channel, uint64_t depth, uint64_t at) const {
        return ((batch * c + channel) * d + depth) * Plane() + at;
    }
    uint64_t C1() const { return UpTo(c, kFractal) / kFractal; }
    uint64_t N1() const { return UpTo(n, kFractal) / kFractal; }
    uint64_t OtherSize(bool three) const { return d * C1() * kFractal * h * w * (three ? N1() * kFractal : n); }
    uint64_t Other(bool three, uint64_t batch, uint64_t channel, uint64_t depth, uint64_t at) const {
        const uint64_t block = channel / kFractal, lane = channel % kFractal;
        if (!three) return (((batch * d + depth) * C1() + block) * h * w + at) * kFractal + lane;
        return (((depth * C1() + block) * h * w + at) * N1() * kFractal + batch) * kFractal + lane;
    }
};

void RequireAxes(const Local& t, const char* name, const Axes& seen, std::initializer_list<uint64_t> expected) {
    std::string text = Text("%s of axes (", name);
    for (uint32_t i = 0; i < seen.count; ++i) text += Text("%s%u", i == 0 ? "" : ", ", seen.of[i]);
    bool same = seen.count == expected.size();
    size_t at = 0;
    for (const uint64_t axis : expected) {
        same = same && seen.of[at] == axis;
        ++at;
    }
    if (!same)
        WrongShape("TransData", t, text + ")",
                   "pass the axes that the format names, with C1 = ceil(C / 16) and N1 = ceil(N / 16)");
}

/// Bytes that the host's query names (GetTransDataMaxMinTmpSize).
uint64_t TransDataBytes(bool from, bool three, const Volume& v) {
    const uint64_t padded = v.d * v.C1() * kFractal * v.Plane() * 2;
    if (!three) return from ? padded + v.d * v.Plane() * 2 : padded + 512;
    const uint64_t all = v.N1() * kFractal * padded;
    if (from) return all + std::max(v.c * v.d * v.Plane(), v.d * v.h * v.w * v.N1() * kFractal) * 2;
    return v.n % kFractal == 0 && v.c % kFractal == 0 ? all : 2 * all;
}

}  // namespace

void PadRows(uint32_t elementBytes, const Local& dst, const Local& src, const Local* work, const PaddedRows& s,
             const void* value) {
    const uint64_t block = kBlockBytes / elementBytes, padded = UpTo(s.columns, block),
                   width = s.left + s.columns + s.right;
    const bool whole = padded == s.columns;
    const std::string seen = Text("%u x %u elements, %u columns used, %u in front and %u behind", s.rows, s.columns,
                                  s.used, s.left, s.right);
    if (s.rows == 0 || s.columns == 0 || s.used > s.columns)
        WrongShape("Pad", src, seen, "fill the tiling on the host with PadTilingFunc");
    if (whole && (s.left != 0 || s.right > s.columns - s.used))
        WrongShape("Pad", src, seen,
                   "of rows that are whole blocks only columns without values can be set, on the right");
    if (!whole && width > padded)
        WrongShape("Pad", src, seen, "a padded row ends at the next multiple of 32 bytes at most");
    if (!whole && s.rows * s.columns % block != 0)
        WrongShape("Pad", src, seen, "all of the source is a multiple of 32 bytes");
    if (!whole) UseAtLeast("Pad", work, 2 * static_cast<uint32_t>(kFractal) * kBlockBytes);
    Begin("Pad", PIPE_V);
    const uint64_t pitch = whole ? s.columns : width;
    const Mover mover("Pad", elementBytes, dst, s.rows * pitch, src, static_cast<uint64_t>(s.rows) * s.columns);
    for (uint64_t r = 0; r < s.rows; ++r) {
        for (uint64_t k = 0; k < s.columns; ++k) mover.Move(r * pitch + s.left + k, r * s.columns + k);
        for (uint64_t k = 0; k < s.left; ++k) mover.Set(r * pitch + k, value);
        const uint64_t end = whole ? s.used : s.left + s.columns;
        for (uint64_t k = 0; k < s.right; ++k) mover.Set(r * pitch + end + k, value);
    }
}

void UnPadRows(uint32_t elementBytes, const Local& dst, const Local& src, const PaddedRows& s) {
    Begin("UnPad", PIPE_V);
    const uint64_t block = kBlockBytes / elementBytes;
    if (s.rows == 0 || s.columns == 0 || s.columns % block != 0 || s.right == 0 || s.right >= block)
        WrongShape("UnPad", src, Text("%u x %u elements, %u columns dropped", s.rows, s.columns, s.right),
                   "rows are multiples of 32 bytes, and rightPad is above 0 and less than 32 bytes");
    const uint64_t kept = s.columns - s.right;
    const Mover mover("UnPad", elementBytes, dst, s.rows * kept, src, static_cast<uint64_t>(s.rows) * s.columns);
    for (uint64_t r = 0; r < s.rows; ++r)
        for (uint64_t k = 0; k < kept; ++k) mover.Move(r * kept + k, r * s.columns + k);
}

void TransposeKind(uint32_t elementBytes, const Local& dst, const Local& src, const Local* work, uint32_t kind,
                   const ConfusionTransposeTiling& tiling) {
    if (kind == 0 || kind > static_cast<uint32_t>(TransposeType::TRANSPOSE_ND2ND_ONLY))
        Broken("unsupported-api", "", Text("Transpose of kind %u", kind), "this device has the kinds 1 to 7");
    if (tiling.param0 != kind)
        WrongShape("Transpose", src, Text("kind %u with a tiling of kind %u", kind, tiling.param0),
                   "fill the tiling on the host with GetTransposeTilingInfo for the same kind");
    const uint32_t fractal = static_cast<uint32_t>(kFractal * kFractal) * elementBytes;
    const auto type = static_cast<TransposeType>(kind);
    const bool plain = type == TransposeType::TRANSPOSE_ND2ND_ONLY;
    if (!plain) UseAtLeast("Transpose", work, kind < 3 ? fractal : 2 * fractal);
    Begin("Transpose", PIPE_V);
    if (plain) return MovePlain(elementBytes, dst, src, tiling.param1, tiling.param2);
    MoveHeads(elementBytes, dst, src, type, tiling);
}

void TransposeImage(uint32_t elementBytes, const Local& dst, const Local& src, const Local& work,
                    const AscendC::TransposeParamsExt& p) {
    const TransposeType type = p.transposeType;
    core().account.api = "Transpose";
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kUb, "UB");
    RequirePosition(src, "src", SpaceOf(src.position) == kUb, "UB");
    if (type == TransposeType::TRANSPOSE_TYPE_NONE) return;
    if (type == TransposeType::TRANSPOSE_ND2ND_B16) {
        if (elementBytes != 2 || p.hSize != kFractal || p.wSize != kFractal)
            WrongShape("Transpose", src, Text("%u x %u elements of %u bytes", p.hSize, p.wSize, elementBytes),
                       "TRANSPOSE_ND2ND_B16 takes 16 x 16 elements of uint16_t");
        return Transpose16(dst, src);
    }
    const bool last = type == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (!last && type != TransposeType::TRANSPOSE_NHWC2NCHW)
        Broken("unsupported-api", "", Text("Transpose with parameters of kind %u", static_cast<unsigned>(type)),
               "it takes TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC and TRANSPOSE_NHWC2NCHW; the others want a tiling");
    const uint64_t n = p.nSize, c = p.cSize, plane = static_cast<uint64_t>(p.hSize) * p.wSize;
    if (n == 0 || c == 0 || plane == 0) return;
    if (c > 4095 || plane > 4095 || plane * elementBytes % kBlockBytes != 0)
        WrongShape("Transpose", src, Text("N, C, H, W of %u, %u, %u, %u", p.nSize, p.cSize, p.hSize, p.wSize),
                   "C and H x W are at most 4095, and H x W is a multiple of 32 bytes");
    const uint32_t rows = elementBytes == 1 ? 32 : 16;
    UseAtLeast("Transpose", &work, (last ? p.cSize + 2u : p.cSize * 2u + 1u) * rows * kBlockBytes);
    Begin("Transpose", PIPE_V);
    const Mover mover("Transpose", elementBytes, dst, n * c * plane, src, n * c * plane);
    for (uint64_t i = 0; i < n; ++i) {
        for (uint64_t channel = 0; channel < c; ++channel) {
            for (uint64_t at = 0; at < plane; ++at) {
                const uint64_t front = (i * c + channel) * plane + at, behind = (i * plane + at) * c + channel;
                mover.Move(last ? behind : front, last ? front : behind);
            }
        }
    }
}

void CopyNz2Nd(const Global& dst, const Local& src, Type type, uint32_t elementBytes,
               const AscendC::Nz2NdParamsFull& p) {
    core().account.api = "DataCopy";
    const bool fits = p.ndNum <= 4095 && p.nValue >= 1 && p.nValue <= 8192 && p.dValue >= 1 && p.dValue <= 8192 &&
                      p.dValue % kFractal == 0;
    if (!fits || p.srcNdMatrixStride < 1 || p.srcNdMatrixStride > 512 || p.srcNStride > 4096 ||
        p.dstDStride < kFractal || p.dstNdMatrixStride < 1)
        Broken("copy-params", BufferName(src),
               Text("Nz2NdParamsFull{%u, %u, %u, %u, %u, %u, %u}", p.ndNum, p.nValue, p.dValue, p.srcNdMatrixStride,
                    p.srcNStride, p.dstDStride, p.dstNdMatrixStride),
               "ndNum 0 to 4095, nValue and dValue 1 to 8192, dValue a multiple of 16, srcNdMatrixStride 1 to 512, "
               "srcNStride to 4096, and rows of dst do not overlap");
    const uint64_t row = kFractal * elementBytes;
    for (uint64_t i = 0; i < p.ndNum; ++i) {
        for (uint64_t column = 0; column < p.dValue / kFractal; ++column) {
            for (uint64_t n = 0; n < p.nValue; n += 4095) {
                const uint64_t from = (i * p.srcNdMatrixStride * kFractal + column * p.srcNStride + n) * row;
                const uint64_t to = (i * p.dstNdMatrixStride + column * kFractal + n * p.dstDStride) * elementBytes;
                Local part = src;
                part.data += from;
                part.bytes = from < src.bytes ? static_cast<uint32_t>(src.bytes - from) : 0;
                const Global target{dst.data == nullptr ? nullptr : dst.data + to, dst.elements};
                CopyOutPad(target, part, type, elementBytes,
                           {static_cast<uint32_t>(std::min<uint64_t>(p.nValue - n, 4095)), static_cast<uint32_t>(row),
                            0, p.dstDStride * elementBytes - row});
            }
        }
    }
}

void TransformFormat(const Local& dst, const Local& src, const Local* work, const AscendC::TransDataConfig& config,
                     const Axes& srcAxes, const Axes& dstAxes) {
    const bool from = config.srcFormat == DataFormat::NCDHW;
    const bool three = (from ? config.dstFormat : config.srcFormat) == DataFormat::FRACTAL_Z_3D;
    const Axes& plain = from ? srcAxes : dstAxes;
    const Axes& other = from ? dstAxes : srcAxes;
    if (plain.count != 5) RequireAxes(from ? src : dst, "NCDHW", plain, {0, 0, 0, 0, 0});
    const Volume v{plain.of[0], plain.of[1], plain.of[2], plain.of[3], plain.of[4]};
    if (three)
        RequireAxes(from ? dst : src, "FRACTAL_Z_3D", other, {v.d, v.C1(), v.h, v.w, v.N1(), kFractal, kFractal});
    else RequireAxes(from ? dst : src, "NDC1HWC0", other, {v.n, v.d, v.C1(), v.h, v.w, kFractal});
    UseAtLeast("TransData", work, static_cast<uint32_t>(TransDataBytes(from, three, v)));
    Begin("TransData", PIPE_V);
    const uint64_t plainSize = v.PlainSize(), otherSize = v.OtherSize(three);
    const Mover mover("TransData", 2, dst, from ? otherSize : plainSize, src, from ? plainSize : otherSize);
    const uint64_t batches = three && from ? v.N1() * kFractal : v.n, channels = from ? v.C1() * kFractal : v.c;
    const uint16_t nothing = 0;
    for (uint64_t i = 0; i < batches * channels * v.d; ++i) {
        const uint64_t batch = i / (channels * v.d), channel = i / v.d % channels, depth = i % v.d;
        for (uint64_t at = 0; at < v.h * v.w; ++at) {
            const uint64_t there = v.Other(three, batch, channel, depth, at);
            if (batch >= v.n || channel >= v.c) mover.Set(there, &nothing);
            else if (from) mover.Move(there, v.Plain(batch, channel, depth, at));
            else mover.Move(v.Plain(batch, channel, depth, at), there);
        }
    }
}

}  // namespace twin
